import { expect, test } from 'vitest';
import { createAcceptedEvents } from '../../events/accepted-events.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { namesOneOf } from '../../losses/erase-items.ts';
import { ownLosses } from '../../losses/loss-reader.ts';
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
