import { expect, test } from 'vitest';
import { SEND_MS, SharedLosses } from '../../losses/shared-losses.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { NotStorable, OutcomeUnknown } from '../../storage/errors.ts';
import type { LossBatch, LossStorage } from '../../storage/losses.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';

const SOURCE = 'workspaces/main/sources/js';
const LOST = { reason: 'bad_request', receivedAt: '2026-11-20T00:00:00.000Z' } as const;
const COUNT = { type: 'track', kind: 'unplanned_event', count: 1 } as const;

/** A storage that fails as long as it is told how. */
class FaultyStorage implements LossStorage {
  readonly stored: LossBatch[] = [];
  failure: Error | undefined;
  /** From so many batches on. */
  failsFrom = Infinity;
  asked = 0;

  addLosses(batch: LossBatch): Promise<void> {
    this.asked += 1;
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (this.asked >= this.failsFrom) return Promise.reject(new StoreUnavailable('it took too long'));
    this.stored.push(batch);
    return Promise.resolve();
  }

  eraseItems(): Promise<void> {
    return Promise.resolve();
  }

  losses() {
    const counts = this.stored.flatMap((batch) => batch.counts);
    return Promise.resolve({ since: 0, counts, items: this.stored.flatMap(({ items }) => items) });
  }

  get sum(): number {
    return this.stored.flatMap((batch) => batch.counts).reduce((sum, { count }) => sum + count, 0);
  }
}

function startLosses() {
  const [storage, clock, log] = [new FaultyStorage(), new VirtualClock(0), new RecordingLog()];
  const losses = new SharedLosses({ storage, clock, log });
  losses.start();
  const drop = (count: number): void => losses.sinks.dropped.add(SOURCE, new Map([['bad_request', count]]), []);
  return { storage, clock, log, losses, drop };
}

test('losses go to the storage every two seconds, and nothing goes where nothing was lost', async () => {
  const { storage, clock, losses, drop } = startLosses();
  drop(1);
  drop(2);
  expect(storage.asked).toBe(0);
  await clock.advance(SEND_MS);
  expect([storage.asked, storage.sum]).toEqual([1, 3]);
  await clock.advance(10 * SEND_MS);
  expect(storage.asked).toBe(1);
  drop(4);
  await losses.stop();
  expect(storage.sum).toBe(7);
});

test('a storage that is away costs one line of the log, and no count', async () => {
  const { storage, clock, log, losses, drop } = startLosses();
  storage.failure = new StoreUnavailable('the database cannot be reached');
  for (let sent = 0; sent < 5; sent += 1) {
    drop(1);
    await clock.advance(SEND_MS);
  }
  expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  await expect(losses.dropped(SOURCE)).rejects.toThrow(StoreUnavailable);
  storage.failure = undefined;
  await clock.advance(SEND_MS);
  expect(storage.sum).toBe(5);
  expect(log.lines.at(-1)).toMatchObject({ level: 'info' });
  await losses.stop();
});

test('a batch of which nobody knows whether it is stored is not sent again', async () => {
  const { storage, clock, losses, drop } = startLosses();
  storage.failure = new OutcomeUnknown('the database did not answer');
  drop(1);
  await clock.advance(SEND_MS);
  storage.failure = undefined;
  drop(2);
  await clock.advance(SEND_MS);
  expect(storage.sum).toBe(2);
  await losses.stop();
});

test('SAFE-2: a count that the storage refuses holds up none of its batch, nor of those behind it', async () => {
  const { storage, clock, log, losses, drop } = startLosses();
  const refused = new NotStorable('statement add_loss_counts was refused (22021)');
  const addLosses = storage.addLosses.bind(storage);
  const [bad, good] = [`${SOURCE}-bad`, [1, 2, 3, 4].map((number) => `${SOURCE}-${number}`)];
  const isRefused = ({ counts }: LossBatch): boolean => counts.some(({ owner }) => owner === bad);
  storage.addLosses = (batch) => (isRefused(batch) ? Promise.reject(refused) : addLosses(batch));
  for (const source of [bad, ...good]) losses.sinks.dropped.add(source, new Map([['bad_request', 1]]), [LOST]);
  await clock.advance(SEND_MS);
  const stored = await storage.losses();
  expect([storage.sum, stored.items.length]).toEqual([4, 5]);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { counts: 1, reason: refused.message } }]);
  drop(2);
  await clock.advance(SEND_MS);
  expect(storage.sum).toBe(6);
  await losses.stop();
});

test('a storage that is slow holds up nobody who drops events, and gets one batch at a time', async () => {
  const { storage, clock, losses, drop } = startLosses();
  const answered: (() => void)[] = [];
  let most = 0;
  storage.addLosses = async (batch) => {
    await new Promise<void>((resolve) => (most = Math.max(most, answered.push(resolve))));
    answered.shift();
    storage.stored.push(batch);
  };
  drop(1);
  await clock.advance(SEND_MS);
  for (let sent = 0; sent < 100; sent += 1) drop(1);
  await clock.advance(5 * SEND_MS);
  expect([answered.length, most, storage.sum]).toEqual([1, 1, 0]);
  const stopped = losses.stop();
  while (storage.sum < 101) {
    answered[0]?.();
    await clock.advance(0);
  }
  await stopped;
});

test('however many sources lose something, a batch is bounded, and every event counts', async () => {
  const { storage, clock, losses } = startLosses();
  const drop = { reason: 'bad_request', receivedAt: '2026-11-20T12:00:00.000Z' } as const;
  for (let source = 0; source < 200; source += 1) {
    const counts = Array.from({ length: 50 }, (_, at) => ({ ...COUNT, event: `event ${at}` }));
    losses.sinks.violations.add(`${SOURCE}${source}`, counts, []);
    const drops = Array.from({ length: 90 }, () => drop);
    losses.sinks.dropped.add(`${SOURCE}${source}`, new Map([['bad_request', 90]]), drops);
  }
  await clock.advance(SEND_MS);
  const [batch] = storage.stored;
  expect(storage.sum).toBe(200 * (50 + 90));
  expect(batch?.counts.length).toBeLessThan(5_500);
  expect(batch?.items.length).toBeLessThanOrEqual(1_000);
  expect(new Set(batch?.items.map(({ owner }) => owner)).size).toBe(200);
  await losses.stop();
});

test('SAFE-2: however many sources lose something, a batch is small, and each is stored once', async () => {
  const { storage, clock, losses } = startLosses();
  for (let source = 0; source < 12_000; source += 1)
    losses.sinks.dropped.add(`${SOURCE}${source}`, new Map([['bad_request', 2]]), []);
  storage.failsFrom = 2;
  await clock.advance(SEND_MS);
  expect(storage.stored.map(({ counts }) => counts.length)).toEqual([5_000]);
  storage.failsFrom = Infinity;
  await clock.advance(SEND_MS);
  expect(storage.stored.map(({ counts }) => counts.length)).toEqual([5_000, 5_000, 2_000]);
  expect(storage.sum).toBe(24_000);
  await losses.stop();
});
