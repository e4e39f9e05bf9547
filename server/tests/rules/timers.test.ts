import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { Timers } from '../../delivery/timers.ts';

interface Rings {
  readonly clock: VirtualClock;
  readonly timers: Timers<string>;
  /** Who rang, and when, in milliseconds from the start. */
  readonly rang: [string, number][];
  /** Sets one, by that time. */
  readonly set: (owner: string, ms: number) => void;
}

function begun(): Rings {
  const clock = new VirtualClock();
  const [start, rang]: [number, Rings['rang']] = [clock.steady(), []];
  const timers = new Timers<string>(clock, (owner) => rang.push([owner, clock.steady() - start]));
  return { clock, timers, rang, set: (owner, ms) => timers.set(owner, start + ms) };
}

test('timers ring in order of time, and those of one moment in the order in which they were set', async () => {
  const { clock, rang, set } = begun();
  for (const [owner, ms] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
    ['a2', 10],
  ] as const)
    set(owner, ms);
  await clock.advance(9);
  expect(rang).toEqual([]);
  await clock.advance(100);
  expect(rang).toEqual([
    ['a', 10],
    ['a2', 10],
    ['b', 20],
    ['c', 30],
  ]);
});

test('however many are set, the clock has one sleeper, and none once all have rung', async () => {
  const { clock, set } = begun();
  for (const ms of [30, 10, 20, 10, 40]) set('any', ms);
  expect(clock.sleepers).toBe(1);
  await clock.advance(15);
  expect(clock.sleepers).toBe(1);
  await clock.advance(100);
  expect(clock.sleepers).toBe(0);
});

test('what is set for a moment that is over rings at once', async () => {
  const { clock, rang, set } = begun();
  await clock.advance(100);
  set('late', 40);
  await clock.advance(0);
  expect(rang).toEqual([['late', 100]]);
});

test('after it was cancelled nothing rings, until something is set again', async () => {
  const { clock, timers, rang, set } = begun();
  timers.cancel();
  set('a', 10);
  timers.cancel();
  expect(clock.sleepers).toBe(0);
  await clock.advance(20);
  expect(rang).toEqual([]);
  set('b', 30);
  await clock.advance(100);
  expect(rang).toEqual([
    ['a', 30],
    ['b', 30],
  ]);
});

test('who rings may set the next', async () => {
  const clock = new VirtualClock();
  const [start, rang]: [number, number[]] = [clock.steady(), []];
  const timers: Timers<number> = new Timers(clock, (left) => {
    rang.push(clock.steady() - start);
    if (left > 0) timers.set(left - 1, clock.steady() + 5);
  });
  timers.set(2, start + 5);
  await clock.advance(100);
  expect(rang).toEqual([5, 10, 15]);
});

test('what is set for later leaves the first its time', async () => {
  const { clock, rang, set } = begun();
  set('a', 10);
  set('b', 50);
  await clock.advance(10);
  expect(rang).toEqual([['a', 10]]);
});
