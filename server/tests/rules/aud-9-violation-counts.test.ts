import { expect, test } from 'vitest';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { PacedWork } from '../../fairness/paced-work.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { namesOneOf } from '../../losses/erase-items.ts';
import { eraseItemsIn, ownLosses } from '../../losses/loss-reader.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { createUndecided } from '../../losses/undecided.ts';
import { createUnknownKeys } from '../../losses/unknown-keys.ts';
import { createViolations } from '../../losses/violations.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';

const [A, B] = ['workspaces/main/sources/a', 'workspaces/other/sources/b'];

test('AUD-9: an erasure leaves violations counted, without names of events that name its users', async () => {
  const clock = new VirtualClock(0);
  const unknownKeys = createUnknownKeys({ clock, log: { warn: () => undefined } });
  const kept = {
    dropped: createDroppedEvents(),
    undecided: createUndecided(),
    accepted: createAcceptedEvents(),
    traffic: createTraffic({ now: () => 0 }),
  };
  const violations = createViolations();
  const losses = ownLosses({ ...kept, unknownKeys, violations }, clock);
  const kind = 'unplanned_event';
  for (const source of [A, B])
    for (const event of ['Bought by u1', 'Bought by u12', 'u1', 'track']) {
      violations.add(source, [{ type: 'track', event, kind, count: 2 }], []);
      violations.add(source, [{ type: 'track', kind, count: 1 }], []);
    }
  const before = (await losses.violations(B)).counts;
  await losses.eraseItems({ scope: 'workspaces/main', userIds: ['u1', 'unplanned_event'] });
  expect((await losses.violations(A)).counts.toSorted((a, b) => b.count - a.count)).toEqual([
    { type: 'track', kind, count: 8 },
    { type: 'track', event: 'Bought by u12', kind, count: 2 },
    { type: 'track', event: 'track', kind, count: 2 },
  ]);
  expect((await losses.violations(B)).counts).toEqual(before);
});

test('SAFE-2: an erasure of lost events lets others go on, however many sources of a workspace have some', async () => {
  const unknownKeys = createUnknownKeys({ clock: new VirtualClock(0), log: { warn: () => undefined } });
  const [dropped, violations] = [createDroppedEvents(), createViolations()];
  const kept = {
    accepted: createAcceptedEvents(),
    undecided: createUndecided(),
    traffic: createTraffic({ now: () => 0 }),
  };
  const names = Array.from({ length: 20 }, (_, index) => `workspaces/main/sources/s${index}`);
  const receivedAt = '2026-01-01T00:00:00.000Z';
  for (const source of names) dropped.add(source, new Map(), [{ reason: 'event_not_string', event: 'u1', receivedAt }]);
  // Each list takes two milliseconds.
  const time = { now: 0, pauses: 0 };
  const pace = new PacedWork({
    now: () => (time.now += 1),
    sleep: () => Promise.resolve(),
    pause: () => Promise.resolve(void (time.pauses += 1)),
  });
  const losses = { ...kept, dropped, violations, unknownKeys };
  await eraseItemsIn(losses, { scope: 'workspaces/main', userIds: ['u1'] }, pace);
  expect(names.flatMap((source) => dropped.lastOf(source))).toEqual([]);
  expect(time.pauses).toBeGreaterThan(3);
});

test('AUD-9: texts are looked through once, and not once for each of thousands of ids (SAFE-2)', () => {
  const items = Array.from({ length: 300 }, (_, index) => ({ event: `visitor-${index} `.repeat(10) }));
  const msOf = (users: number): number => {
    const isTheirs = namesOneOf(Array.from({ length: users }, (_, index) => `user-${index}`));
    const begun = performance.now();
    expect(items.filter(isTheirs)).toEqual([]);
    return performance.now() - begun;
  };
  msOf(50);
  expect(msOf(5_000)).toBeLessThan(10 * msOf(50) + 20);
});
