import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { retention } from '../../jobs/retention.ts';
import { JobRunner } from '../../jobs/runner.ts';
import type { PurgeRequest } from '../../storage/job-storage.ts';
import { DESTINATION, startEngine } from '../support/engine.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { startLives } from '../support/lives.ts';
import { openMemory } from '../support/memory-storage.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([-DAY, -HOUR, -SECOND, SECOND, HOUR, 3 * DAY])(
  'HOOK-21: a wall that is set by %i ms changes nothing about when is sent',
  async (step) => {
    expect(await sendTimes(step)).toEqual(await sendTimes(0));
  },
);

/** When requests leave while the wall is set by so much, a minute after the start. */
async function sendTimes(step: number): Promise<number[]> {
  const { clock, transport, send } = await startEngine(() => answers(503));
  const start = clock.steady();
  for (let n = 0; n < 15; n += 1) await send({ messageId: `m${n}` });
  await clock.advance(MINUTE);
  clock.stepWall(step);
  await clock.advance(5 * HOUR);
  return transport.posts.map(({ at }) => at - start);
}

test('HOOK-21: with its circuit open and the wall set back, a destination is probed and gets new events', async () => {
  let isDown = true;
  const { clock, store, dispatcher, send } = await startEngine(() => answers(isDown ? 503 : 200));
  for (let n = 0; n < 30; n += 1) await send({ messageId: `m${n}` });
  await clock.advance(MINUTE);
  expect(dispatcher.queues.parked.size).toBe(1);
  clock.stepWall(-HOUR);
  isDown = false;
  await send({ messageId: 'new' });
  await clock.advance(11 * MINUTE);
  expect(store.deliveries.filter(({ state }) => state !== 'delivered')).toEqual([]);
  await send({ messageId: 'newer' });
  await clock.advance(SECOND);
  expect(store.deliveries.at(-1)?.state).toBe('delivered');
});

test('HOOK-21: a clock that has gone back between two processes lets nothing wait', async () => {
  const store = openMemory();
  let isDown = true;
  const lives = startLives(() => answers(isDown ? 503 : 200), store);
  const first = await lives.begin();
  await first.send(5);
  await lives.clock.advance(MINUTE);
  first.kill();
  isDown = false;
  lives.clock.stepWall(-DAY);
  await lives.begin();
  await lives.clock.advance(SECOND);
  expect(new Set(store.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
});

test('HOOK-21: a clock that has gone back between two processes does not lengthen the four hours', async () => {
  const store = openMemory();
  const lives = startLives(() => answers(503), store);
  const start = lives.clock.steady();
  const first = await lives.begin();
  await first.send(1);
  await lives.clock.advance(3 * HOUR);
  first.kill();
  lives.clock.stepWall(-7 * DAY);
  const second = await lives.begin();
  await lives.clock.advance(DAY);
  expect(store.deliveries).toMatchObject([{ state: 'expired' }]);
  const last = second.transport.posts.at(-1)?.at ?? 0;
  // What was counted when the last due time was set stays counted: a wait of ten minutes is the most that is not.
  expect(last - start).toBeGreaterThan(4 * HOUR - MINUTE);
  expect(last - start).toBeLessThan(4 * HOUR + 10 * MINUTE);
});

test('HOOK-21: the log shows the wall, and takes how long an attempt took from the other clock', async () => {
  const { clock, store, send } = await startEngine(() => ({ afterMs: 3 * SECOND, result: answers(200).result }));
  await send();
  // The request has left.
  await clock.advance(0);
  clock.stepWall(-HOUR);
  await clock.advance(3 * SECOND);
  expect(store.deliveries[0]?.attempts).toMatchObject([{ durationMs: 3 * SECOND, startedAt: Date.UTC(2026, 0, 1) }]);
});

test('HOOK-21: a wall that is set forward by a week forgets nothing early', async () => {
  const clock = new VirtualClock();
  const bounds: PurgeRequest[] = [];
  const storage = {
    leaseJob: () => Promise.resolve(true),
    purge: (request: PurgeRequest) => {
      bounds.push(request);
      return Promise.resolve({ deliveries: 0, ids: 0, next: undefined });
    },
  };
  const start = clock.now();
  const ports = { storage, clock, log: new RecordingLog() };
  const runner = new JobRunner(ports, [retention({ ...ports, config: openMemory().resources, retentionMs: 7 * DAY })]);
  runner.start();
  for (const step of [8 * DAY, -16 * DAY]) {
    clock.stepWall(step);
    await clock.advance(10 * MINUTE);
  }
  await runner.stop();
  expect(bounds.length).toBe(3);
  const latest = Math.max(...bounds.map(({ endedBefore }) => endedBefore));
  expect(latest - start).toBeLessThanOrEqual(20 * MINUTE - 7 * DAY);
  expect(bounds.at(-1)?.endedBefore).toBe(clock.now() - 7 * DAY);
  expect(bounds.at(-1)?.seenBefore).toBe(clock.steady() - DAY);
  expect(Math.max(...bounds.map(({ usedBefore }) => usedBefore)) - start).toBeLessThanOrEqual(20 * MINUTE);
});

test('HOOK-21: a new event goes out at once, whatever the wall was set to', async () => {
  const { clock, store, dispatcher, send } = await startEngine(() => answers(200));
  for (const step of [-DAY, 2 * DAY, -HOUR]) {
    clock.stepWall(step);
    const admission = dispatcher.admit();
    expect(admission.reserve(DESTINATION).hasPlace).toBe(true);
    admission.end([], []);
    await send({ messageId: String(step) });
    await clock.advance(1);
  }
  expect(store.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
});
