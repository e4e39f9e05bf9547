import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';
import { holdPorts } from './held-ports.ts';

test('whoever calls a held port fails the run, and is named', async () => {
  const port = await freePort();
  const ports = await holdPorts([port]);
  await expect(fetch(`http://127.0.0.1:${port}/v1/batch`, { method: 'POST' })).rejects.toThrow('fetch failed');
  await expect(ports.release()).rejects.toThrow(new RegExp(`${port}: POST /v1/batch HTTP/1.1`));
});

test('a held port that nobody calls is free again afterwards', async () => {
  const port = await freePort();
  const first = await holdPorts([port]);
  await first.release();
  const second = await holdPorts([port]);
  await second.release();
  expect([first.held, second.held]).toEqual([1, 1]);
});

test('a port that somebody else has is left to them', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ports = await holdPorts([portOf(server)]);
  expect(ports.held).toBe(0);
  await ports.release();
  await new Promise((resolve) => server.close(resolve));
});

function portOf(server: ReturnType<typeof createServer>): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}
