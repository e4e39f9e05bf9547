import { expect, test } from 'vitest';
import { freeAt, gapOf, limitedPolicy, slotOf } from '../../delivery/pace.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

const POLICY = { ...DEFAULT_POLICY, perDestination: 32, queueRoom: 1_000 };

test.each([
  ['no limit', {}, { perDestination: 32, queueRoom: 1_000 }],
  ['fewer at once', { inFlight: 8 }, { perDestination: 8, queueRoom: 250 }],
  ['more at once than any destination may have', { inFlight: 64 }, { perDestination: 32, queueRoom: 1_000 }],
  ['a pace', { perSecond: 2.5 }, { perDestination: 32, queueRoom: 3 }],
  ['none at once', { inFlight: 0 }, { perDestination: 0, queueRoom: 1 }],
])('HOOK-24: with %s as much is ready in memory as is sent soon', (_what, limits, expected) => {
  expect(limitedPolicy(POLICY, limits)).toMatchObject(expected);
});

test('HOOK-24: rounds of a destination with a limit are a gap apart, where that limits their pace', () => {
  expect([gapOf({ perSecond: 4 }), gapOf({ perSecond: 0.5 }), gapOf({ inFlight: 1 })]).toEqual([250, 2_000, 0]);
  expect(freeAt(250, 1_000)).toBe(1_250);
});

test('HOOK-24: a round that is up to 100 ms late keeps its slot, and one that is later begins anew', () => {
  expect(freeAt(50, undefined)).toBe(-Infinity);
  expect(slotOf(50, 1_000, 1_150)).toBe(1_050);
  expect(slotOf(50, 1_000, 1_151)).toBe(1_151);
  expect(slotOf(50, undefined, 7)).toBe(7);
});
