import { afterEach, expect, test, vi } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { Timers } from '../../delivery/timers.ts';
import { startEngine, targetOf } from '../support/engine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MANY = 10_000;

afterEach(() => vi.restoreAllMocks());

function named(number: number): string {
  return `workspaces/main/sources/s${number}/destinations/webhooks`;
}

test('D-26: what a timer costs follows from what is due, not from how many destinations there are', async () => {
  let isDown = true;
  const { clock, store, targets, send } = await startEngine(() =>
    answers(isDown ? 429 : 200, isDown ? '3600' : undefined),
  );
  for (let number = 0; number < MANY; number += 1) {
    targets.set(named(number), targetOf(`https://s${number}.test/`));
    await send({ messageId: `m${number}` }, named(number));
  }
  await clock.advance(SECOND);
  expect(store.deliveries.filter(({ state }) => state === 'pending')).toHaveLength(MANY);
  isDown = false;
  // One more, which is sent at once, beside ten thousand that wait for an hour.
  targets.set('other', targetOf('https://other.test/'));
  // Each event of a queue reads the clock.
  const looks = vi.spyOn(clock, 'steady');
  await send({ messageId: 'soon' }, 'other');
  await clock.advance(30 * SECOND);
  expect(store.deliveries.at(-1)?.state).toBe('delivered');
  expect(looks.mock.calls.length).toBeLessThan(40);
  await clock.advance(60 * MINUTE);
  expect(store.deliveries.every(({ state }) => state === 'delivered')).toBe(true);
  // Each is looked at as often as something happens to it.
  expect(looks.mock.calls.length).toBeLessThan(20 * MANY);
});

test('D-26: destinations that nothing waits for leave memory', async () => {
  const { clock, dispatcher, targets, send } = await startEngine(() => answers(200));
  for (let number = 0; number < 500; number += 1) {
    targets.set(named(number), targetOf(`https://s${number}.test/`));
    await send({ messageId: `m${number}` }, named(number));
  }
  await clock.advance(MINUTE);
  expect(dispatcher.queues.count).toBe(500);
  await send({ messageId: 'again' }, named(0));
  await clock.advance(9 * MINUTE);
  expect(dispatcher.queues.count).toBe(1);
  await clock.advance(10 * MINUTE);
  expect(dispatcher.queues.count).toBe(0);
  expect(clock.sleepers).toBe(0);
});

test('D-26: a place that was taken and given back keeps no destination in memory', async () => {
  const { clock, dispatcher } = await startEngine(() => answers(200));
  const admission = dispatcher.admit();
  expect(admission.reserve(named(1)).hasPlace).toBe(true);
  admission.end([], []);
  await clock.advance(21 * MINUTE);
  expect(dispatcher.queues.count).toBe(0);
});

test('D-25: a destination that something waits for is not forgotten, nor that it is parked', async () => {
  const { clock, dispatcher, store, send } = await startEngine(() => answers(503));
  for (let n = 0; n < 20; n += 1) await send({ messageId: `m${n}` });
  await clock.advance(60 * MINUTE);
  const { count, parked } = dispatcher.queues;
  expect([count, parked.size]).toEqual([1, 1]);
  await clock.advance(4 * 60 * MINUTE);
  expect(store.deliveries.every(({ state }) => state === 'expired')).toBe(true);
  expect(dispatcher.queues.count).toBe(0);
});

test('timers ring in order of time, each as often as it was set', async () => {
  const clock = new VirtualClock(0);
  const rung: string[] = [];
  const timers = new Timers<string>(clock, (owner) => rung.push(`${owner} ${clock.steady()}`));
  timers.set('b', 20);
  timers.set('a', 30);
  timers.set('a', 10);
  timers.set('c', 20);
  await clock.advance(25);
  expect(rung).toEqual(['a 10', 'b 20', 'c 20']);
  await clock.advance(100);
  expect(rung.slice(3)).toEqual(['a 30']);
  timers.set('a', 130);
  timers.cancel();
  await clock.advance(100);
  expect(rung).toHaveLength(4);
  expect(clock.sleepers).toBe(0);
});
