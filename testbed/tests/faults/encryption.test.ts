import { once } from 'node:events';
import { request } from 'node:https';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { TLS_FAULTS } from '../../receiver/index.ts';
import type { Receiver } from '../../index.ts';
import type { TlsFault } from '../../receiver/index.ts';
import { nextEvent } from '../support/posting.ts';

const open = new Set<{ destroy(): void }>();
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});

/** A POST over TLS that trusts the receiver's authority: the status, or the code of what went wrong. */
async function postTo({ url, ca }: Receiver, body = '{"type":"track"}'): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request(url, { method: 'POST', ca, agent: false, minVersion: 'TLSv1.2' });
    open.add(outgoing);
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.once('response', (response) => resolve(response.resume().statusCode ?? 0));
    outgoing.end(body);
  });
}

test('a receiver with TLS takes and answers requests as ever', async () => {
  await using receiver = await createReceiver({ tls: 'none', script: '503,200' });
  expect(receiver.url).toMatch(/^https:\/\/localhost:\d+$/);
  expect([await postTo(receiver), await postTo(receiver)]).toEqual([503, 200]);
  expect(receiver.received.map(({ body }) => Buffer.from(body).toString())).toEqual([
    '{"type":"track"}',
    '{"type":"track"}',
  ]);
});

test('who does not trust its authority does not get through', async () => {
  await using receiver = await createReceiver({ tls: 'none' });
  await using another = await createReceiver({ tls: 'none' });
  expect(await postTo({ ...receiver, url: receiver.url, ca: another.ca })).toMatch(
    /UNABLE_TO_VERIFY|SELF_SIGNED|CERT_SIGNATURE/,
  );
});

const REFUSED = TLS_FAULTS.filter((fault) => !['none', 'handshake-stall', 'other-protocol', 'no-tls'].includes(fault));
test.each(REFUSED)('HOOK-11: with the fault %s no request arrives', async (fault: TlsFault) => {
  await using receiver = await createReceiver({ tls: fault });
  expect(await postTo(receiver)).toBeTypeOf('string');
  expect(receiver.received).toEqual([]);
});

test('a stalled handshake takes bytes, and says nothing', async () => {
  await using receiver = await createReceiver({ tls: 'handshake-stall' });
  const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
  open.add(socket);
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write('hello', () => resolve()));
  expect(socket.bytesRead).toBe(0);
  expect(receiver.received).toEqual([]);
});

test('a scripted reset ends the connection below the encryption', async () => {
  await using receiver = await createReceiver({ tls: 'none', script: 'reset:request' });
  expect(await postTo(receiver)).toBe('ECONNRESET');
});

test.each<[TlsFault, RegExp]>([
  ['expired', /hung up in the TLS handshake, as who does not trust/],
  ['old-version', /TLS handshake failed: unsupported protocol/],
  ['handshake-reset', /TLS handshake was reset/],
  ['no-tls', /no HTTP/],
])('with the fault %s it is told why no request came', async (fault, reason) => {
  await using receiver = await createReceiver({ tls: fault });
  const told = nextEvent(receiver, 'unreadable');
  await postTo(receiver);
  expect((await told).reason).toMatch(reason);
});
