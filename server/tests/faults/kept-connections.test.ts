import { expect, test } from 'vitest';
import { exampleOf, webhookRequest } from '../../../testbed/index.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { KeptConnections } from '../../delivery/kept-connections.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';

/** A request to an origin, over a new connection unless it says otherwise, that ends; answers whether the connection stays. */
function request(kept: KeptConnections, origin: string, isNew = true): boolean {
  const stays = kept.begin(origin);
  if (isNew) kept.opened(origin);
  kept.end(origin);
  if (!stays) kept.closed(origin);
  return stays;
}

test('SAFE-1: connections stay open up to the most, and those of further origins do not', () => {
  const kept = new KeptConnections(3);
  expect(['a', 'b', 'c', 'd', 'e'].map((origin) => request(kept, origin))).toEqual([true, true, true, false, false]);
  expect(kept.open).toBe(3);
  kept.closed('a');
  expect(request(kept, 'd')).toBe(true);
});

test('SAFE-1: beyond the most, an origin goes on over the one connection that it has, and opens no further one that stays', () => {
  const kept = new KeptConnections(2);
  for (const origin of ['a', 'b']) request(kept, origin);
  expect(request(kept, 'a', false)).toBe(true);
  expect(kept.begin('a')).toBe(true);
  // While that is under way, another would take a second connection.
  expect(kept.begin('a')).toBe(false);
  kept.end('a');
  kept.end('a');
  expect(kept.open).toBe(2);
});

test('SAFE-1: an origin that fails before it has a connection leaves nothing', () => {
  const kept = new KeptConnections(1);
  kept.begin('a');
  kept.end('a');
  expect([kept.open, request(kept, 'b')]).toEqual([0, true]);
});

const REQUEST = webhookRequest(exampleOf('track'), {});

test('SAFE-1: beyond the connections that may stay open, one of a further origin is closed with its answer', async () => {
  const kept = new KeptConnections(1);
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000, { kept });
  // Whoever keeps its end open, and asks for ten minutes.
  const answer = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 2\r\n\r\nok';
  await using first = await startRawReceiver((socket) => socket.write(answer));
  await using second = await startRawReceiver((socket) => socket.write(answer));
  for (const { url } of [first, second, second, first]) {
    expect(await own.post({ url, ...REQUEST, deadlineMs: 5_000 }, new AbortController().signal)).toMatchObject({
      kind: 'answered',
      status: 200,
    });
    await expect.poll(() => kept.open).toBe(1);
  }
  expect([first.connections, second.connections]).toEqual([1, 2]);
  expect(second.received.toLowerCase()).toContain('connection: close');
  await own.close();
  await expect.poll(() => kept.open).toBe(0);
});
