import { expect, test } from 'vitest';
import {
  isOwed,
  resultOf,
  retryAfterMs,
  ruleOf,
  verdictOf,
  verdictOfBroken,
  type WebhookResult,
} from '../../delivery/round.ts';
import { type Claim, deliveryId, type Verdict } from '../../model/delivery.ts';
import type { Outcome } from '../../model/outcome.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

const ACCEPTED = 1_000_000;
const NOW = ACCEPTED + 60_000;
/** Waits of 1, 2, 4 and 8 seconds, of which the draw takes three quarters. */
const POLICY = { ...DEFAULT_POLICY, firstWaitMs: 1_000, maxWaitMs: 8_000 };
const draw = (): number => 0.5;
const OVER = ACCEPTED + POLICY.windowMs - POLICY.deadlineMs;

function claim(given: Partial<Claim> = {}): Claim {
  const times = { timestamp: '2026-11-22T12:00:00.000Z', receivedAt: '2026-11-22T12:00:00.000Z' };
  const event = { type: 'track', messageId: 'm1', event: 'Signed Up', context: {}, ...times } as const;
  const message = { source: 'workspaces/main/sources/js', receivedAt: ACCEPTED, event };
  const destination = 'workspaces/main/sources/js/destinations/webhooks';
  const fence = { delivery: deliveryId('1'), node: 'n1', epoch: 1, round: 1 };
  return { ...fence, destination, message, tries: 0, closed: [], ...given };
}

/** How one webhook answered, and for how long it asked to wait. */
type Answered = Outcome | readonly [outcome: Outcome, retryAfterMs: number];

/** Of webhooks a, b, c and so on. */
function results(...answers: readonly Answered[]): WebhookResult[] {
  return answers.map((answer, index) => {
    const [outcome, askedMs] = typeof answer === 'string' ? ([answer, 0] as const) : answer;
    return { webhook: 'abcde'.charAt(index), outcome, retryAfterMs: askedMs };
  });
}

function verdict(of: Claim, ...answers: readonly Answered[]): Verdict {
  return verdictOf(POLICY, of, results(...answers), NOW, draw);
}

test('HOOK-10: one success ends a delivery, whatever else failed', () => {
  expect(verdict(claim(), 'delivered')).toEqual({ state: 'delivered' });
  expect(verdict(claim(), 'http_5xx', 'delivered', 'http_4xx')).toEqual({ state: 'delivered' });
});

test('HOOK-18: a delivery fails once every webhook has refused it', () => {
  expect(verdict(claim(), 'http_4xx', 'tls_untrusted')).toEqual({ state: 'failed' });
  expect(verdict(claim())).toEqual({ state: 'failed' });
});

test('HOOK-18: what refused is closed, and the others are tried again', () => {
  const pending = { state: 'pending', dueAt: NOW + 750, setAt: NOW, tries: 1 };
  expect(verdict(claim(), 'http_5xx')).toEqual({ ...pending, closed: [] });
  expect(verdict(claim({ closed: ['z'] }), 'http_4xx', 'http_5xx', 'http_other')).toEqual({
    ...pending,
    closed: ['z', 'a', 'c'],
  });
});

test('HOOK-9: each round that counts doubles the wait', () => {
  expect(verdict(claim({ round: 3, tries: 2 }), 'reset')).toMatchObject({ dueAt: NOW + 3_000, tries: 3 });
});

test('HOOK-9: of those that are tried again, the one that asks for the longest wait gets it', () => {
  const asked = verdict(claim(), ['http_429', 30_000], ['http_5xx', 90_000], ['http_4xx', 900_000]);
  expect(asked).toMatchObject({ dueAt: NOW + 90_000 });
});

test('HOOK-8: a round that was the own doing of the router does not count', () => {
  expect(verdict(claim({ round: 4, tries: 3 }), 'router_stalled')).toMatchObject({ dueAt: NOW + 750, tries: 3 });
  expect(verdict(claim({ round: 4, tries: 3 }), 'cancelled', 'reset')).toMatchObject({ dueAt: NOW + 6_000, tries: 4 });
});

test('HOOK-8: after ten rounds of its own doing, one more counts', () => {
  expect(verdict(claim({ round: 12, tries: 2 }), 'router_stalled')).toMatchObject({ tries: 2 });
  expect(verdict(claim({ round: 13, tries: 2 }), 'router_stalled')).toMatchObject({ tries: 3, dueAt: NOW + 3_000 });
  // Those before the last replay are not among them.
  const replayed = claim({ round: 20, tries: 2, earlierRounds: 8 });
  expect(verdict(replayed, 'router_stalled')).toMatchObject({ tries: 2 });
});

test('HOOK-9, HOOK-20: the end of the window ends what was tried, and nothing else', () => {
  const ended = (of: Claim, outcome: Outcome) => verdictOf(POLICY, of, results(outcome), OVER, draw);
  expect(ended(claim(), 'reset')).toEqual({ state: 'expired' });
  expect(ended(claim({ round: 3, tries: 1 }), 'router_stalled')).toEqual({ state: 'expired' });
  expect(ended(claim(), 'router_stalled')).toMatchObject({ state: 'pending', dueAt: OVER + 750 });
  expect(verdictOf(POLICY, claim(), results('reset'), OVER - 1, draw)).toMatchObject({ dueAt: OVER });
});

test('HOOK-20: a round that broke counts as no try, and still the wait doubles', () => {
  const broken = (of: Claim) => verdictOfBroken(POLICY, of, NOW, draw);
  const pending = { state: 'pending', setAt: NOW, tries: 1, closed: ['a'] };
  expect(broken(claim({ round: 3, tries: 1, closed: ['a'] }))).toEqual({ ...pending, dueAt: NOW + 3_000 });
  expect(broken(claim({ round: 5, earlierRounds: 3, tries: 1, closed: ['a'] }))).toEqual({
    ...pending,
    dueAt: NOW + 1_500,
  });
});

test('HOOK-20: an event is owed a try until it had one, or a thousand rounds broke before it', () => {
  expect(isOwed(claim({ round: 1_000 }))).toBe(true);
  expect(isOwed(claim({ round: 1_001 }))).toBe(false);
  expect(isOwed(claim({ round: 1_500, earlierRounds: 500 }))).toBe(true);
  expect(isOwed(claim({ round: 2, tries: 1 }))).toBe(false);
});

test.each([
  [[], 'unsent'],
  [['router_stalled', 'cancelled'], 'unjudged'],
  [['http_5xx', 'delivered'], 'delivered'],
  [['http_4xx', 'reset'], 'failed'],
  [['router_stalled', 'http_4xx'], 'failed'],
  [['http_4xx', 'tls_untrusted'], 'refused'],
] as const)('D-25: of a destination, a round of %j says: %s', (outcomes, said) => {
  expect(resultOf(claim(), results(...outcomes))).toBe(said);
});

test('D-25: a router that always stalls says something of its receivers in the end', () => {
  expect(resultOf(claim({ round: 11, tries: 1 }), results('router_stalled'))).toBe('unjudged');
  expect(resultOf(claim({ round: 12, tries: 1 }), results('router_stalled'))).toBe('failed');
});

test('D-31: the attempt log names the rule that decided', () => {
  expect(ruleOf('delivered')).toBe('first_success_ends');
  expect(ruleOf('http_5xx')).toBe('temporary_failure_is_retried');
  expect(ruleOf('http_4xx')).toBe('permanent_failure_ends');
  expect(ruleOf('tls_untrusted')).toBe('untrusted_certificate_ends');
});

test.each<readonly [header: string | undefined, ms: number]>([
  [undefined, 0],
  ['', 0],
  ['0', 0],
  [' 120 ', 120_000],
  ['999999999', 999_999_999_000],
  ['1000000000', 0],
  ['-5', 0],
  ['1.5', 0],
  ['12 s', 0],
  ['Thu, 01 Jan 1970 00:17:10 GMT', 30_000],
  ['Thursday, 01-Jan-70 00:17:10 GMT', 30_000],
  ['Thu, 01 Jan 1970 00:16:39 GMT', 0],
  ['Th, 01 Jan 1970 00:17:10 GMT', 0],
  ['on Thu, 01 Jan 1970 00:17:10 GMT', 0],
  ['Sat, 13 Sep 275760 00:00:00 GMT', 999_999_999_000],
  ['Thu, some day', 0],
])('HOOK-9: the Retry-After %j asks for %i ms', (header, ms) => {
  expect(retryAfterMs(header, ACCEPTED)).toBe(ms);
});
