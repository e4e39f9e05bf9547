import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { AcceptedHours, STORE_MS } from '../../losses/accepted-hours.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import type { HourlyAddition } from '../../storage/delivery-log.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const SOURCE = 'workspaces/main/sources/js';
const OTHER = 'workspaces/main/sources/app';
const EVENT = { type: 'track', receivedAt: '2026-11-20T14:59:59.999Z' } as const;

function startHours() {
  const stored: HourlyAddition[] = [];
  const failing: { with: Error | undefined; asked: number } = { with: undefined, asked: 0 };
  const storage = {
    addCounts: async (additions: readonly HourlyAddition[]) => {
      failing.asked += 1;
      if (failing.with !== undefined) throw failing.with;
      stored.push(...additions);
      return additions.map(({ count }) => count);
    },
  };
  const [clock, log] = [new VirtualClock(0), new RecordingLog()];
  const hours = new AcceptedHours({ storage, clock, log });
  hours.start();
  return { stored, failing, clock, log, hours };
}

test('accepted events are stored every second, by source, type and hour', async () => {
  const { stored, failing, clock, hours } = startHours();
  hours.add(SOURCE, [EVENT, { ...EVENT, type: 'page' }, { ...EVENT, receivedAt: '2026-11-20T15:00:00.000Z' }]);
  hours.add(SOURCE, [EVENT]);
  hours.add(OTHER, [EVENT]);
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
  hours.add(SOURCE, [EVENT]);
  await hours.stop();
  expect(stored.at(-1)).toMatchObject({ of: SOURCE, count: 1 });
});

test('counts that could not be stored are stored later, with those that came meanwhile, and the log tells it once', async () => {
  const { stored, failing, clock, log, hours } = startHours();
  failing.with = new StoreUnavailable('no disk');
  hours.add(SOURCE, [EVENT]);
  await clock.advance(3 * STORE_MS);
  expect(failing.asked).toBe(3);
  hours.add(SOURCE, [EVENT, EVENT]);
  failing.with = undefined;
  await clock.advance(STORE_MS);
  expect(stored.map(({ count }) => count)).toEqual([3]);
  expect(log.lines.map(({ message }) => message)).toEqual([
    'counts of accepted events are not stored, retrying',
    'counts of accepted events are stored again',
  ]);
  await hours.stop();
});

test('counts of which it is not known whether they are stored are not stored twice', async () => {
  const { stored, failing, clock, hours } = startHours();
  failing.with = new OutcomeUnknown('the connection broke');
  hours.add(SOURCE, [EVENT]);
  await clock.advance(STORE_MS);
  failing.with = undefined;
  await clock.advance(STORE_MS);
  await hours.stop();
  expect([failing.asked, stored]).toEqual([1, []]);
});
