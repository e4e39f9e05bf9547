import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { countAccepted } from '../../losses/accepted-hours.ts';
import { countEnded, lostIn } from '../../losses/ended-hours.ts';
import { HourlyCounts, STORE_MS } from '../../losses/hourly-counts.ts';
import type { Verdict } from '../../model/delivery.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import type { HourlyAddition } from '../../storage/delivery-log.ts';
import { NotStorable, OutcomeUnknown } from '../../storage/errors.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const SOURCE = 'workspaces/main/sources/js';
const OTHER = 'workspaces/main/sources/app';
const EVENT = { type: 'track', receivedAt: '2026-11-20T14:59:59.999Z' } as const;

function startHours() {
  const stored: HourlyAddition[] = [];
  const failing: {
    with: Error | undefined;
    asked: number;
    onAsk?: (additions: readonly HourlyAddition[]) => void;
  } = { with: undefined, asked: 0 };
  const storage = {
    addCounts: async (additions: readonly HourlyAddition[]) => {
      failing.asked += 1;
      failing.onAsk?.(additions);
      if (failing.with !== undefined) throw failing.with;
      stored.push(...additions);
      return additions.map(({ count }) => count);
    },
  };
  const [clock, log] = [new VirtualClock(0), new RecordingLog()];
  const hours = new HourlyCounts({ storage, clock, log });
  hours.start();
  return { stored, failing, clock, log, hours, add: countAccepted(hours) };
}

test('accepted events are stored every second, by source, type and hour', async () => {
  const { stored, failing, clock, hours, add } = startHours();
  add(SOURCE, [EVENT, { ...EVENT, type: 'page' }, { ...EVENT, receivedAt: '2026-11-20T15:00:00.000Z' }]);
  add(SOURCE, [EVENT]);
  add(OTHER, [EVENT]);
  await clock.advance(STORE_MS);
  const [two, three] = ['2026-11-20T14:00:00Z', '2026-11-20T15:00:00Z'].map((time) => Date.parse(time));
  expect(stored).toEqual([
    { of: SOURCE, hour: two, what: 'accepted:track', count: 2 },
    { of: SOURCE, hour: two, what: 'accepted:page', count: 1 },
    { of: SOURCE, hour: three, what: 'accepted:track', count: 1 },
    { of: OTHER, hour: two, what: 'accepted:track', count: 1 },
  ]);
  await clock.advance(10 * STORE_MS);
  expect(failing.asked).toBe(1);
  add(SOURCE, [EVENT]);
  await hours.stop();
  expect(stored.at(-1)).toMatchObject({ of: SOURCE, count: 1 });
});

test('counts that could not be stored are stored later, with those that came meanwhile, and the log tells it once', async () => {
  const { stored, failing, clock, log, hours, add } = startHours();
  failing.with = new StoreUnavailable('no disk');
  add(SOURCE, [EVENT]);
  await clock.advance(3 * STORE_MS);
  expect(failing.asked).toBe(3);
  add(SOURCE, [EVENT, EVENT]);
  failing.with = undefined;
  await clock.advance(STORE_MS);
  expect(stored.map(({ count }) => count)).toEqual([3]);
  expect(log.lines.map(({ message }) => message)).toEqual([
    'hourly counts are not stored, retrying',
    'hourly counts are stored again',
  ]);
  await hours.stop();
});

test('counts of which it is not known whether they are stored are not stored twice', async () => {
  const { stored, failing, clock, hours, add } = startHours();
  failing.with = new OutcomeUnknown('the connection broke');
  add(SOURCE, [EVENT]);
  await clock.advance(STORE_MS);
  failing.with = undefined;
  await clock.advance(STORE_MS);
  await hours.stop();
  expect([failing.asked, stored]).toEqual([1, []]);
});

test('SAFE-2: a count that the storage refuses keeps none of the others from being stored, each once', async () => {
  const { stored, failing, clock, log, hours, add } = startHours();
  failing.onAsk = (additions) => {
    if (additions.some(({ of }) => of === OTHER)) throw new NotStorable('statement add_counts was refused (22003)');
  };
  for (const source of ['a', OTHER, 'b', 'c']) add(source, [EVENT]);
  await clock.advance(STORE_MS);
  add('a', [EVENT]);
  await clock.advance(STORE_MS);
  expect(stored.map(({ of, count }) => `${of} ${count}`)).toEqual(['a 1', 'b 1', 'c 1', 'a 1']);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { of: OTHER, counts: 1 } }]);
  await hours.stop();
});

test('what became of deliveries is counted by workspace and hour, and by destination what each lost', async () => {
  const { stored, clock, hours } = startHours();
  const watcher = countEnded(hours);
  const endedAt = Date.parse('2026-11-20T14:59:59.999Z');
  const hour = Date.parse('2026-11-20T14:00:00Z');
  const [one, other] = [`${SOURCE}/destinations/one`, `${OTHER}/destinations/other`];
  const later: Verdict = { state: 'pending', dueAt: 0, setAt: 0, closed: [], tries: 1 };
  for (const state of ['delivered', 'delivered', 'failed', 'expired', 'cancelled'] as const)
    watcher.ended({ destination: one, verdict: { state }, endedAt });
  watcher.ended({ destination: one, verdict: later, endedAt });
  watcher.ended({ destination: other, verdict: { state: 'failed' }, endedAt: endedAt + 1 });
  await clock.advance(STORE_MS);
  const lost = lostIn('workspaces/main');
  expect(stored).toEqual([
    { of: 'workspaces/main', hour, what: 'delivered', count: 2 },
    { of: 'workspaces/main', hour, what: 'failed', count: 1 },
    { of: lost, hour, what: one, count: 2 },
    { of: 'workspaces/main', hour, what: 'expired', count: 1 },
    { of: 'workspaces/main', hour: hour + 3_600_000, what: 'failed', count: 1 },
    { of: lost, hour: hour + 3_600_000, what: other, count: 1 },
  ]);
  await hours.stop();
});

test('SAFE-2: of the destinations of a workspace that lose deliveries a thousand an hour are noted', async () => {
  const { stored, clock, hours } = startHours();
  const watcher = countEnded(hours);
  const end = (workspace: string, at: number, endedAt = 0): void =>
    watcher.ended({ destination: `${workspace}/${at}`, verdict: { state: 'failed' }, endedAt });
  for (let at = 0; at < 1_001; at += 1) end('workspaces/a', at);
  for (const at of [0, 1_000]) end('workspaces/a', at);
  end('workspaces/b', 1);
  end('workspaces/a', 1_000, 3_600_000);
  await clock.advance(STORE_MS);
  const noted = stored.filter(({ of }) => of.endsWith('/lost'));
  expect(noted.filter(({ of, hour }) => of === lostIn('workspaces/a') && hour === 0)).toHaveLength(1_000);
  expect(noted.find(({ what }) => what === 'workspaces/a/0')?.count).toBe(2);
  expect(noted.slice(-2).map(({ what }) => what)).toEqual(['workspaces/b/1', 'workspaces/a/1000']);
  expect(stored[0]).toEqual({ of: 'workspaces/a', hour: 0, what: 'failed', count: 1_003 });
  await hours.stop();
});

test('SAFE-2: however much was counted, a few thousand counts are stored at a time, and each once', async () => {
  const { stored, failing, clock, hours } = startHours();
  const sizes: number[] = [];
  const count = (what: string): void => {
    for (let at = 0; at < 12_000; at += 1) hours.sumOf(`${SOURCE}-${at}`, 0, what).count += 1;
  };
  count('a');
  failing.onAsk = (additions) => {
    sizes.push(additions.length);
    if (sizes.length === 2) throw new StoreUnavailable('it took too long');
    if (sizes.length === 4) throw new OutcomeUnknown('the connection broke');
  };
  await clock.advance(4 * STORE_MS);
  await hours.stop();
  expect(sizes).toEqual([5_000, 5_000, 5_000, 2_000]);
  expect(new Set(stored.map(({ of }) => of)).size).toBe(10_000);
  expect(stored).toHaveLength(10_000);
});
