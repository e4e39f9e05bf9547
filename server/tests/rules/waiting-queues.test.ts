import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allWaiting, createWaitingQueues } from '../../delivery/waiting-queues.ts';
import type { CountRequest, PageRequest } from '../../storage/delivery-storage.ts';
import { openSqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { accepted, A as OWN } from '../conformance/delivery-store-events.ts';
import { newFolder } from '../support/delivery-world.ts';
import { batchOf } from '../support/memory-storage.ts';

const [A, B, C] = ['workspaces/a/sources/s/destinations/a', 'workspaces/a/sources/s/destinations/b', 'workspaces/c'];

/** Destinations in each of which so much waits, three of them a page, and one open circuit; steady time is a minute behind the wall. */
function startQueues(count = 7) {
  const time = { steady: 1_000_000 };
  const clock = { steady: () => time.steady, now: () => time.steady + 60_000 };
  const asked: CountRequest[] = [];
  const read = createWaitingQueues({
    store: {
      async countBacklog(request) {
        asked.push(request);
        const { destinations, after = '0' } = request;
        const waiting = Math.min(3, count - Number(after));
        const queues = destinations.map((destination) => {
          return { destination, waiting, nextDueAt: 7_000, oldestReceivedAt: 5_000 };
        });
        const end = Number(after) + waiting;
        return { queues, next: end < count ? String(end) : undefined };
      },
    },
    openCircuits: () =>
      Promise.resolve({ circuits: [{ destination: B, state: 'open', probes: 1, probeAt: 9_000 }], count: 3 }),
    clock,
  });
  return { read, time, asked };
}

test('SAFE-2: what waits for some destinations is counted page by page, with times of the wall', async () => {
  const { read, asked } = startQueues();
  const { waiting, circuits, circuitCount } = await read('workspaces/a', [A, B]);
  expect([...waiting]).toEqual([
    [A, { destination: A, waiting: 7, nextDueAt: 67_000, oldestReceivedAt: 65_000 }],
    [B, { destination: B, waiting: 7, nextDueAt: 67_000, oldestReceivedAt: 65_000 }],
  ]);
  expect([...circuits]).toEqual([[B, { destination: B, state: 'open', probes: 1, probeAt: 9_000 }]]);
  expect(circuitCount).toBe(3);
  expect(asked.map(({ after }) => after)).toEqual([undefined, '3', '6']);
});

test('SAFE-2: who asks for the same within two seconds gets what another has read, and nothing of others', async () => {
  const { read, time, asked } = startQueues(1);
  const first = await read('workspaces/a', [A]);
  time.steady += 1_999;
  expect(await read('workspaces/a', [A])).toBe(first);
  expect([...(await read(B, [B])).waiting.keys()]).toEqual([B]);
  time.steady += 1;
  expect(await read('workspaces/a', [A])).not.toBe(first);
  expect(asked).toHaveLength(3);
});

test('SAFE-2: however many destinations there are, so many are asked for at once', async () => {
  const { read, asked } = startQueues(1);
  const all = Array.from({ length: 2_500 }, (_, index) => `${A}${index}`);
  expect((await read('workspaces/a', all)).waiting.size).toBe(2_500);
  expect(asked.map(({ destinations }) => destinations.length)).toEqual([1_000, 1_000, 500]);
});

test('SAFE-2: who looks at a queue waits for few of those that another workspace looks at', async () => {
  const { read, asked } = startQueues(1);
  const all = Array.from({ length: 40 }, (_, index) => `${A}${index}`);
  const others = all.map((name) => read(name, [name]));
  await read(C, [C]);
  expect(asked.findIndex(({ destinations }) => destinations.includes(C))).toBeLessThanOrEqual(3);
  await Promise.all(others);
});

test('SAFE-2: on a data folder, what waits for a destination is counted on from where a page ended', async () => {
  const store = await openSqliteStorage(join(newFolder(), 'deliveries.sqlite'));
  await store.accept(batchOf(Array.from({ length: 5 }, (_, index) => accepted(`m${index}`, false, index % 2))));
  const counted: number[] = [];
  let after: string | undefined;
  for (let page = 0; page < 4; page += 1) {
    const { queues, next } = await store.countBacklog({ destinations: [OWN], after, limit: 2 });
    counted.push(...queues.map(({ waiting }) => waiting));
    if (next === undefined) break;
    after = next;
  }
  expect(counted).toEqual([2, 2, 1]);
  await store.close();
});

/** Named by when its oldest was accepted. */
const queueOf = (destination: string) => ({
  destination,
  waiting: 2,
  nextDueAt: 9,
  oldestReceivedAt: Number(destination),
});

test('what waits for hundreds of thousands of destinations is counted together', async () => {
  const store = {
    async backlog({ after = '0', limit }: PageRequest) {
      const end = Number(after) + limit;
      const queues = Array.from({ length: limit }, (_, index) => queueOf(String(end - index)));
      return { queues, next: end < 200_000 ? String(end) : undefined };
    },
    countBacklog: async ({ destinations }: CountRequest) => ({ queues: destinations.map(queueOf), next: undefined }),
  };
  expect(await allWaiting(store)).toEqual({ count: 400_000, oldestReceivedAt: 1 });
});
