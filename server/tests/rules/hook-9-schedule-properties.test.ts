import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { checkPolicy } from '../../model/check-policy.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';
import { retryAfterMs } from '../../delivery/round.ts';
import { nextDueAt, type Round } from '../../delivery/schedule.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const HOUR = 3_600_000;
/** What one event may cost a receiver that is down for the whole window. */
const MAX_ROUNDS = 250;

/** A policy that can hold, whatever its figures. */
const anyPolicy: fc.Arbitrary<DeliveryPolicy> = fc
  .tuple(
    fc.integer({ min: 60_000, max: 4 * HOUR }),
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 100 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([windowMs, deadlineMs, part, share]) => {
    const maxWaitMs = Math.ceil(windowMs / part);
    return {
      ...DEFAULT_POLICY,
      windowMs,
      deadlineMs,
      maxWaitMs,
      firstWaitMs: Math.max(1, Math.floor(maxWaitMs * share)),
    };
  });

const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const anyRetryAfter = fc.oneof(fc.constant(0), fc.nat(5 * HOUR), fc.integer({ min: 0, max: 999_999_999_000 }));
const anyRound = fc.integer({ min: 1, max: MAX_ROUNDS });

/** A round that ended at some moment, within its window or after it. */
const anyCase = fc.tuple(anyPolicy, anyRound, fc.nat(5 * HOUR), anyRetryAfter, anyDraw);

const RECEIVED_AT = Date.UTC(2026, 0, 1);

test('HOOK-9, D-23: every wait keeps to its bounds and its window', () => {
  fc.assert(
    fc.property(anyCase, ([policy, round, sinceMs, retryAfter, draw]) => {
      expect(faultOfStep(policy, endedAfter(round, sinceMs, retryAfter), draw, nextDueAt)).toBeUndefined();
    }),
    { numRuns: 20_000 },
  );
});

test('D-23: a wait never shrinks with the round, the draw or Retry-After', () => {
  fc.assert(
    fc.property(anyCase, anyCase, ([policy, round, sinceMs, retryAfter, draw], [, round2, , retryAfter2, draw2]) => {
      const due = (r: number, after: number, d: number): number =>
        nextDueAt(policy, endedAfter(r, sinceMs, after), () => d) ?? Infinity;
      const here = due(round, retryAfter, draw);
      expect(due(round, Math.max(retryAfter, retryAfter2), draw)).toBeGreaterThanOrEqual(here);
      expect(due(round, retryAfter, Math.max(draw, draw2))).toBeGreaterThanOrEqual(here);
      expect(due(Math.max(round, round2), retryAfter, draw)).toBeGreaterThanOrEqual(here);
    }),
    { numRuns: 20_000 },
  );
});

test('HOOK-9: all waits of an event together fit into its window', () => {
  fc.assert(
    fc.property(anyPolicy, fc.integer(), fc.boolean(), (policy, seed, hasRetryAfter) => {
      expect(checkPolicy(policy)).toEqual([]);
      const starts = startsOf(policy, seededRandom(seed), hasRetryAfter);
      const waits = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
      expect(Math.min(...waits, Infinity)).toBeGreaterThan(0);
      expect((starts.at(-1) ?? 0) + policy.deadlineMs).toBeLessThanOrEqual(RECEIVED_AT + policy.windowMs);
      expect(starts.length).toBeLessThanOrEqual(MAX_ROUNDS);
    }),
    { numRuns: 10_000 },
  );
});

test('D-23: any Retry-After header asks for a wait that can be', () => {
  const now = RECEIVED_AT;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: CODE_POINT }),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        fc.double().map(String),
      ),
      (header) => {
        const ms = retryAfterMs(header, now);
        expect(Number.isFinite(ms) && ms >= 0).toBe(true);
      },
    ),
    { numRuns: 10_000 },
  );
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs(new Date(now + HOUR).toUTCString(), now)).toBe(HOUR);
});

test('HOOK-9: the checks find a schedule that breaks the rules', () => {
  const round = endedAfter(3, 1_000, 60_000);
  const faultOf = (schedule: typeof nextDueAt): string | undefined => faultOfStep(DEFAULT_POLICY, round, 0.5, schedule);
  expect(faultOf(nextDueAt)).toBeUndefined();
  expect(faultOf(() => undefined)).toContain('gives up');
  expect(faultOf(({ windowMs }) => RECEIVED_AT + windowMs)).toContain('beyond the window');
  expect(faultOf((_policy, { endedAt }) => endedAt + 30_000)).toContain('earlier');
  expect(faultOf((_policy, { endedAt }) => endedAt + 61_000)).toContain('later');
});

function endedAfter(round: number, sinceMs: number, retryAfter: number): Round {
  return { round, receivedAt: RECEIVED_AT, endedAt: RECEIVED_AT + sinceMs, retryAfterMs: retryAfter };
}

/** What a schedule does wrong after one round; its bounds are found here by doubling, step by step. */
function faultOfStep(
  policy: DeliveryPolicy,
  ended: Round,
  draw: number,
  schedule: typeof nextDueAt,
): string | undefined {
  const due = schedule(policy, ended, () => draw);
  const lastTry = RECEIVED_AT + policy.windowMs - policy.deadlineMs;
  if (ended.endedAt >= lastTry) return due === undefined ? undefined : 'goes on although no time is left';
  if (due === undefined) return 'gives up while there is time';
  if (due > lastTry) return 'a try that could end beyond the window';
  let bound = policy.firstWaitMs;
  for (let round = 1; round < ended.round && bound < policy.maxWaitMs; round += 1) bound *= 2;
  bound = Math.min(bound, policy.maxWaitMs);
  const wait = due - ended.endedAt;
  if (due < lastTry && wait < Math.max(Math.floor(bound / 2), ended.retryAfterMs)) return 'earlier than it may be';
  if (wait > Math.max(bound, ended.retryAfterMs)) return 'later than it must be';
  return wait > 0 ? undefined : 'at once';
}

/** When each round of an event that always fails begins; rounds take up to the deadline. */
function startsOf(policy: DeliveryPolicy, random: () => number, hasRetryAfter: boolean): number[] {
  const starts = [RECEIVED_AT];
  for (;;) {
    const endedAt = (starts.at(-1) ?? 0) + Math.floor(random() * (policy.deadlineMs + 1));
    const retryAfter = hasRetryAfter ? Math.floor(random() * HOUR) : 0;
    const ended = { round: starts.length, receivedAt: RECEIVED_AT, endedAt, retryAfterMs: retryAfter };
    const due = nextDueAt(policy, ended, random);
    if (due === undefined) return starts;
    starts.push(due);
  }
}
