import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { Later } from '../../delivery/timers.ts';

/** What is done later, and when it was, in milliseconds from the start. */
function started(): { clock: VirtualClock; later: Later; done: number[] } {
  const clock = new VirtualClock();
  const [start, done]: [number, number[]] = [clock.steady(), []];
  return { clock, later: new Later(clock, () => done.push(clock.steady() - start)), done };
}

test('what is asked for is done after its while, and once', async () => {
  const { clock, later, done } = started();
  expect(later.isDue).toBe(false);
  later.in(20);
  expect(later.isDue).toBe(true);
  await clock.advance(19);
  expect([done, later.isDue]).toEqual([[], true]);
  await clock.advance(100);
  expect([done, later.isDue]).toEqual([[20], false]);
});

test('who asks for no sooner has it done with what is to come, without a timer of their own', async () => {
  const { clock, later, done } = started();
  later.in(20);
  for (const ms of [20, 50]) later.in(ms);
  expect(clock.sleepers).toBe(1);
  await clock.advance(100);
  expect(done).toEqual([20]);
});

test('who asks for it sooner has it done sooner, for all', async () => {
  const { clock, later, done } = started();
  later.in(50);
  later.in(20);
  await clock.advance(100);
  expect([done, clock.sleepers]).toEqual([[20], 0]);
});

test('what was done sooner and is asked for again keeps its own time', async () => {
  const { clock, later, done } = started();
  later.in(50);
  later.in(20);
  await clock.advance(30);
  later.in(40);
  await clock.advance(100);
  expect(done).toEqual([20, 70]);
});

test('while it is being done it is to come no more, and may be asked for again', async () => {
  const clock = new VirtualClock();
  const due: boolean[] = [];
  const later: Later = new Later(clock, () => {
    due.push(later.isDue);
    if (due.length < 3) later.in(0);
  });
  later.in(0);
  await clock.advance(0);
  expect(due).toEqual([false, false, false]);
});
