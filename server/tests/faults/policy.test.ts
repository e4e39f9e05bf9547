import { expect, test } from 'vitest';
import { checkPolicy } from '../../model/check-policy.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';

test('the standard policy holds', () => {
  expect(checkPolicy(DEFAULT_POLICY)).toEqual([]);
});

test('a wait as short as a demo needs holds', () => {
  expect(checkPolicy({ ...DEFAULT_POLICY, firstWaitMs: 250 })).toEqual([]);
});

test('the least of everything holds, and what is equal contradicts nothing', () => {
  const least = {
    perDestination: 1,
    inFlight: 1,
    rampStart: 1,
    parkAfter: 1,
    queueRoom: 1,
    totalRoom: 1,
    totalBytes: 1,
  };
  expect(checkPolicy({ ...DEFAULT_POLICY, ...least, firstWaitMs: 600_000 })).toEqual([]);
});

/** 240 rounds of the longest wait, the first one, and one for each time that the wait doubles. */
function doubling(times: number): DeliveryPolicy {
  return { ...DEFAULT_POLICY, maxWaitMs: 120_000, firstWaitMs: 120_000 / 2 ** times };
}

test('the rounds in which the waits grow are among those that one event may cost', () => {
  expect(checkPolicy(doubling(9))).toEqual([]);
  expect(checkPolicy(doubling(10))).toEqual([expect.stringContaining('up to 251 rounds')]);
});

const CONTRADICTIONS: readonly (readonly [change: Partial<DeliveryPolicy>, both: RegExp])[] = [
  [{ windowMs: 4_000 }, /deadlineMs is 5000, more than windowMs, which is 4000/],
  [{ firstWaitMs: 1_200_000 }, /firstWaitMs is 1200000, more than maxWaitMs, which is 600000/],
  [{ windowMs: 9_000 }, /firstWaitMs is 10000, more than windowMs, which is 9000/],
  [{ rampStart: 33 }, /rampStart is 33, more than perDestination, which is 32/],
  [{ inFlight: 16 }, /perDestination is 32, more than inFlight, which is 16/],
  [{ queueRoom: 20_000 }, /queueRoom is 20000, more than totalRoom, which is 10000/],
  [{ deadlineMs: 5_001 }, /deadlineMs is 5001, the maximum is 5000/],
  [{ windowMs: 14_400_001 }, /windowMs is 14400001, the maximum is 14400000/],
  [{ firstWaitMs: 1_000, maxWaitMs: 1_000 }, /maxWaitMs is 1000, .*28801 rounds of a windowMs of 14400000/],
];

test.each(CONTRADICTIONS)('figures that contradict each other are both named: %j', (change, both) => {
  const faults = checkPolicy({ ...DEFAULT_POLICY, ...change });
  expect(faults.filter((fault) => both.test(fault))).toHaveLength(1);
});

const IMPOSSIBLE: readonly (readonly [change: Partial<DeliveryPolicy>, fault: RegExp])[] = [
  [{ inFlight: 0 }, /^inFlight is 0/],
  [{ parkAfter: 1.5 }, /^parkAfter is 1.5/],
  [{ queueRoom: -1 }, /^queueRoom is -1/],
  [{ deadlineMs: 0 }, /^deadlineMs is 0/],
  [{ windowMs: Infinity }, /^windowMs is Infinity/],
  [{ maxWaitMs: Number.NaN }, /^maxWaitMs is NaN/],
];

test.each(IMPOSSIBLE)('a figure that means nothing is refused alone: %o', (change, fault) => {
  expect(checkPolicy({ ...DEFAULT_POLICY, ...change })).toEqual([expect.stringMatching(fault)]);
});

test('every fault is told, not the first alone', () => {
  expect(checkPolicy({ ...DEFAULT_POLICY, rampStart: 64, queueRoom: 20_000 })).toHaveLength(2);
});
