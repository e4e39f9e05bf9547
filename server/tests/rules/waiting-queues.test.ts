import { expect, test } from 'vitest';
import { createWaitingQueues } from '../../delivery/waiting-queues.ts';
import type { Backlog } from '../../storage/delivery-storage.ts';

const queueOf = (destination: string): Backlog => ({
  destination,
  waiting: 3,
  nextDueAt: 7_000,
  oldestReceivedAt: 5_000,
});

/** Two destinations in which something waits, one with an open circuit; steady time is a minute behind the wall. */
function startQueues() {
  const time = { steady: 1_000_000 };
  const clock = { steady: () => time.steady, now: () => time.steady + 60_000 };
  let readings = 0;
  const read = createWaitingQueues({
    store: {
      backlog: () => {
        readings += 1;
        return Promise.resolve({ queues: [queueOf('a'), queueOf('b')], next: undefined });
      },
    },
    openCircuits: () => Promise.resolve([{ destination: 'b', state: 'open', probes: 1, probeAt: 9_000 }]),
    clock,
  });
  return { read, time, readings: () => readings };
}

test('what waits is shown by destination, with times of the wall', async () => {
  const { waiting, circuits } = await startQueues().read();
  expect([...waiting]).toEqual([
    ['a', { destination: 'a', waiting: 3, nextDueAt: 67_000, oldestReceivedAt: 65_000 }],
    ['b', { destination: 'b', waiting: 3, nextDueAt: 67_000, oldestReceivedAt: 65_000 }],
  ]);
  expect([...circuits]).toEqual([['b', { destination: 'b', state: 'open', probes: 1, probeAt: 9_000 }]]);
});

test('who asks within two seconds gets what another has read', async () => {
  const { read, time, readings } = startQueues();
  const first = await read();
  time.steady += 1_999;
  expect(await read()).toBe(first);
  time.steady += 1;
  expect(await read()).not.toBe(first);
  expect(readings()).toBe(2);
});
