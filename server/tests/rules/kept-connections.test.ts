import { expect, test } from 'vitest';
import { KeptConnections } from '../../delivery/kept-connections.ts';

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
