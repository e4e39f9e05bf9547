import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { play, type Spoil } from './history.ts';
import { histories } from './history-arbitrary.ts';
import { contractSeed, replayLine } from './seed.ts';
import { startWorld } from './world.ts';

const HISTORIES = 150;
const MOVES = 30;

test('CFG-1, CFG-6, CFG-10, CFG-16: the router and a plain model agree through any history, restarts included', async () => {
  const seed = contractSeed();
  const world = await startWorld();
  let [played, restarts] = [0, 0];
  const property = fc.asyncProperty(histories(MOVES), async (moves) => {
    await play(world, moves);
    played += 1;
    restarts += moves.filter((move) => move?.act === 'restart').length;
  });
  await fc.assert(property, { seed, numRuns: HISTORIES });
  console.log(replayLine(`Contract: ${played} histories of ${MOVES} moves, ${restarts} restarts`, seed));
  expect(restarts).toBeGreaterThan(0);
});

/** One verb of the store replaced; the rest as it is. */
function replaced(store: ConfigStore, verbs: Partial<ConfigStore>): ConfigStore {
  return new Proxy(store, {
    get: (target, key) => {
      const own: unknown = Reflect.get(verbs, key) ?? Reflect.get(target, key);
      return typeof own === 'function' ? (...values: unknown[]): unknown => Reflect.apply(own, target, values) : own;
    },
  });
}

function withoutSecond<T>(rows: readonly T[]): readonly T[] {
  return rows.filter((_row, index) => index !== 1);
}

test.each<[what: string, spoil: Spoil]>([
  ['forgets an update', (store) => replaced(store, { update: (kind, name) => store.get(kind, name) })],
  [
    'lists one row too few',
    (store) => replaced(store, { list: async (...query) => withoutSecond(await store.list(...query)) }),
  ],
  [
    'ignores what stands in the way of a removal',
    (store) => replaced(store, { remove: (kind, name) => store.remove(kind, name) }),
  ],
])('the model finds a store that %s', async (_what, spoil) => {
  const world = await startWorld();
  const property = fc.asyncProperty(histories(MOVES), (moves) => play(world, moves, spoil));
  await expect(fc.assert(property, { seed: 1, numRuns: HISTORIES, endOnFailure: true })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('the rules') },
  });
});
