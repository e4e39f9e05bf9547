import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createReceiver, ListenError } from '../../index.ts';
import type { ReceiverOptions } from '../../index.ts';
import { urlOf } from '../../receiver/options.ts';

const WRONG: [options: ReceiverOptions, message: string][] = [
  [{ secret: '' }, 'The option secret is empty'],
  [{ host: '' }, 'The option host is empty'],
  [{ port: 65_536 }, 'The option port is 65536; give a whole number from 0 to 65535'],
  [{ port: 1.5 }, 'The option port is 1.5'],
  [{ seed: -1 }, 'The option seed is -1'],
  [{ keep: 0 }, 'The option keep is 0'],
  [{ forward: 'localhost:3000' }, 'The option forward is "localhost:3000"; give a whole http or https URL'],
];

test.each(WRONG)('the options %j are refused by name and value', async (options, message) => {
  await expect(createReceiver(options)).rejects.toThrow(message);
});

test.each<[options: object, message: string]>([
  [{ sercet: 's3cret' }, 'createReceiver has no sercet; did you mean secret?'],
  [{ verbose: true }, 'createReceiver has no verbose; there are secret, scheme, script, '],
  [{ endpoints: { '/a': { scirpt: '503' } } }, 'The endpoint /a has no scirpt; did you mean script?'],
])('the options %j, in which a name is none, are refused', async (options, message) => {
  await expect(createReceiver(options)).rejects.toThrow(message);
});

test('a wait for what no request has is refused', async () => {
  await using receiver = await createReceiver();
  const wanted: object = { tpye: 'track' };
  await expect(receiver.waitFor(wanted)).rejects.toThrow('waitFor has no tpye; did you mean type?');
});

test('a port in use is refused with a way out', async () => {
  await using first = await createReceiver();
  const port = Number(new URL(first.url).port);
  await expect(createReceiver({ port })).rejects.toThrow(ListenError);
  await expect(createReceiver({ port })).rejects.toThrow(
    `port ${port} of 127.0.0.1: the port is in use; choose another`,
  );
});

test('a host that is not of this machine is refused', async () => {
  await expect(createReceiver({ host: '192.0.2.1' })).rejects.toThrow('the host is no address of this machine');
});

test('port 0 takes a free port', async () => {
  await using one = await createReceiver();
  await using other = await createReceiver();
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(one.url).not.toBe(other.url);
});

test('a wanted port is taken', async () => {
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, '127.0.0.1', () => resolve(portOf(probe.address())));
  });
  await new Promise((resolve) => probe.close(resolve));
  await using receiver = await createReceiver({ port });
  expect(receiver.url).toBe(`http://127.0.0.1:${port}`);
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['localhost', 'http://localhost:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['fe80::1', 'http://[fe80::1]:80'],
])('the URL of a receiver on %s can be reached', (host, url) => {
  expect(urlOf(host, 80)).toBe(url);
});

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
