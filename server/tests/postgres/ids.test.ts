import { expect, test } from 'vitest';
import { firstIdOf, Ids } from '../../storage/postgres/deliveries/ids.ts';

/** A sequence of blocks that others take from as well. */
function ids(timeline = (): number => 1): Ids {
  let block = 0;
  const run = (_: unknown, [count]: readonly unknown[] = []): Promise<readonly never[]> => {
    const blocks = Array.from({ length: Number(count) }, () => ({ block: (block += 3) }));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows of the one statement that is asked
    return Promise.resolve(blocks as unknown as readonly never[]);
  };
  return new Ids({ run, timeline });
}

test('ids of one thing follow each other, and none is given twice, over the ends of blocks', async () => {
  const given = new Set<number>();
  const made = ids();
  const counts = Array.from({ length: 300 }, (_, index) => (index * 37) % 1_100);
  for (let round = 0; round < 3; round += 1) {
    const next = await made.reserve(counts, 20_000);
    for (const count of counts) {
      const first = next(count);
      for (let id = first; id < first + count; id += 1) given.add(id);
    }
  }
  expect(given.size).toBe(3 * counts.reduce((sum, count) => sum + count));
  expect(Math.min(...[...given].slice(0, 1_000))).toBeGreaterThanOrEqual(firstIdOf(20_000));
  expect(Math.max(...[...given].slice(-1_000))).toBeLessThan(firstIdOf(20_001));
});

test('who asks at the same time waits for the same block, and gets ids of its own', async () => {
  const made = ids();
  const nexts = await Promise.all(Array.from({ length: 50 }, () => made.reserve([7, 1], 1)));
  const first = nexts.map((next) => next(7)).toSorted((a, b) => a - b);
  expect(first.slice(1).filter((id, index) => id - (first[index] ?? id) < 7)).toEqual([]);
});

test('NODE-1: those that another server gave are given to nothing more, nor those that it is giving just now', async () => {
  let timeline = 1;
  const made = ids(() => timeline);
  const before = (await made.reserve([1], 1))(1);
  timeline = 2;
  expect((await made.reserve([1], 1))(1) - before).toBeGreaterThan(2 ** 16);
  timeline = 3;
  const reserving = made.reserve([1], 1);
  timeline = 4;
  expect((await reserving)(1) - firstIdOf(1)).toBe(4 * 3 * 2 ** 16);
});
