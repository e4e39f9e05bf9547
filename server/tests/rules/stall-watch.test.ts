import { expect, test } from 'vitest';
import { StallWatch } from '../../delivery/stall-watch.ts';

const BEAT_MS = 250;

/** A watch whose time the test sets, and whose beats it ends. */
function startWatch() {
  const beats: { readonly ms: number; readonly end: () => void }[] = [];
  const time = { at: 0 };
  const clock = {
    now: () => time.at,
    steady: () => time.at,
    sleep: (ms: number) => new Promise<void>((end) => void beats.push({ ms, end })),
  };
  /** Ends the beat under way at this time. */
  const beatAt = async (at: number): Promise<void> => {
    time.at = at;
    beats.at(-1)?.end();
    await new Promise(setImmediate);
  };
  return { watch: new StallWatch(clock), time, beats, beatAt };
}

test.each([
  [0, 0],
  [249, 0],
  [250, 250],
  [5_000, 5_000],
])('D-25: a beat that ends %i ms late tells of a stall of %i ms', async (late, stalled) => {
  const { watch, time, beatAt } = startWatch();
  const [before, after] = [watch.begin(), watch.begin()];
  time.at = BEAT_MS + late;
  expect(before()).toBe(stalled);
  await beatAt(BEAT_MS + late);
  expect(after()).toBe(stalled);
});

test('D-25: the stalls of all beats add up, for who watched meanwhile', async () => {
  const { watch, time, beatAt } = startWatch();
  const early = watch.begin();
  await beatAt(1_250);
  const late = watch.begin();
  await beatAt(3_500);
  time.at = 3_500 + BEAT_MS + 300;
  // It comes while the loop stands still: what is over is none of its own.
  const last = watch.begin();
  time.at += 100;
  expect([early(), late(), last()]).toEqual([1_000 + 2_000 + 400, 2_000 + 400, 100]);
});

test('D-25: it beats each 250 ms, once for all who watch, and only while somebody does', async () => {
  const { watch, beats, beatAt } = startWatch();
  const [first, second] = [watch.begin(), watch.begin()];
  expect(beats.map(({ ms }) => ms)).toEqual([BEAT_MS]);
  first();
  await beatAt(BEAT_MS);
  expect(beats).toHaveLength(2);
  second();
  await beatAt(2 * BEAT_MS);
  expect(beats).toHaveLength(2);
  const third = watch.begin();
  expect(beats).toHaveLength(3);
  await beatAt(3 * BEAT_MS);
  expect([third(), beats.length]).toEqual([0, 4]);
});

test('D-25: who begins while nothing beats is told of no stall that was before', async () => {
  const { watch, time, beatAt } = startWatch();
  watch.begin()();
  await beatAt(BEAT_MS);
  time.at = 60_000;
  expect(watch.begin()()).toBe(0);
});
