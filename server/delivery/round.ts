import type { Claim, Verdict } from '../model/delivery.ts';
import type { Random } from '../ports/random.ts';
import { classOf, isOwnDoing, type Outcome } from '../model/outcome.ts';
import type { DeliveryPolicy } from '../model/policy.ts';
import { nextDueAt } from './schedule.ts';

/** What one webhook did in a round. */
export interface WebhookResult {
  readonly webhook: string;
  readonly outcome: Outcome;
  readonly retryAfterMs: number;
}

/**
 * What a round says of its destination: `refused` is all permanent; `unsent` had nothing to send to, so that nothing is
 * held back for it; `unjudged` says nothing, as the fault was the router's own, or the window was over.
 */
export type RoundResult = 'delivered' | 'failed' | 'refused' | 'unsent' | 'unjudged';

/** How a round has ended, for its destination. */
export interface RoundEnd {
  readonly result: RoundResult;
  /** What webhooks that failed asked for in `Retry-After`, at the longest. */
  readonly retryAfterMs: number;
}

/**
 * The maximum of rounds that do not count because they were the router's own doing; one more counts: a router that always
 * stalls must not ask a dead receiver for ever.
 */
const MAX_EXCUSED = 10;
/** The maximum of rounds that end, with a process or a bug, before anything is attempted; after it the window ends such an event. */
const MAX_WITHOUT_ATTEMPT = 1_000;

/**
 * What a finished round means for its delivery (D-20, D-22): one success ends it; else the webhooks that failed for
 * good are closed, and the others are tried again while the window lasts.
 */
export function verdictOf(
  policy: DeliveryPolicy,
  claim: Claim,
  results: readonly WebhookResult[],
  now: number,
  random: Random,
): Verdict {
  if (results.some((result) => classOf(result.outcome) === 'success')) return { state: 'delivered' };
  const temporary = results.filter((result) => classOf(result.outcome) === 'temporary');
  if (temporary.length === 0) return { state: 'failed' };
  const refused = results.filter((result) => classOf(result.outcome) === 'permanent').map((result) => result.webhook);
  const ended = { at: now, retryAfterMs: longestAsked(temporary) };
  const isCounted = counts(claim, results);
  const tries = isCounted ? claim.tries + 1 : claim.tries;
  const waits = isCounted ? tries : 1;
  return postponed(policy, { ...claim, tries, closed: [...claim.closed, ...refused] }, { ...ended, waits }, random);
}

/**
 * What becomes of a delivery whose round could not be carried out: nothing was attempted, and still the wait doubles, as
 * what broke it may break it again.
 */
export function verdictOfBroken(policy: DeliveryPolicy, claim: Claim, now: number, random: Random): Verdict {
  return postponed(policy, claim, { at: now, retryAfterMs: 0, waits: roundOfWindow(claim) }, random);
}

/** Whether an event is tried although its window is over: it was accepted, and nobody has tried it yet (HOOK-20). */
export function isOwed(claim: Claim): boolean {
  return claim.tries === 0 && roundOfWindow(claim) <= MAX_WITHOUT_ATTEMPT;
}

/** Whether its window has ended: it expires, and nothing is sent. */
export function isOver({ windowMs }: Pick<DeliveryPolicy, 'windowMs'>, claim: Claim, now: number): boolean {
  return now >= claim.message.receivedAt + windowMs && !isOwed(claim);
}

interface Postponing {
  readonly at: number;
  readonly retryAfterMs: number;
  /** The wait is that behind so many rounds. */
  readonly waits: number;
}

function postponed(policy: DeliveryPolicy, claim: Claim, ended: Postponing, random: Random): Verdict {
  const { tries, closed, message } = claim;
  const { at: setAt, retryAfterMs: askedMs, waits: round } = ended;
  const { receivedAt } = message;
  const next = { round, receivedAt, endedAt: setAt, retryAfterMs: askedMs, isOwed: isOwed(claim) };
  const dueAt = nextDueAt(policy, next, random);
  return dueAt === undefined ? { state: 'expired' } : { state: 'pending', dueAt, setAt, closed, tries };
}

/** Whether a round counts: that of a receiver does, and one of the router's own doing once there were too many. */
function counts(claim: Claim, results: readonly WebhookResult[]): boolean {
  const excused = roundOfWindow(claim) - claim.tries;
  return excused > MAX_EXCUSED || results.some(({ outcome }) => !isOwnDoing(outcome));
}

/** The number of a round within its window: a replay begins the schedule anew. */
function roundOfWindow({ round, earlierRounds = 0 }: Claim): number {
  return round - earlierRounds;
}

/** What a round says of its destination (D-25). */
export function resultOf(claim: Claim, results: readonly WebhookResult[]): RoundResult {
  if (results.length === 0) return 'unsent';
  if (!counts(claim, results)) return 'unjudged';
  const classes = results.map((result) => classOf(result.outcome));
  if (classes.includes('success')) return 'delivered';
  return classes.includes('temporary') ? 'failed' : 'refused';
}

export function endOf(claim: Claim, results: readonly WebhookResult[]): RoundEnd {
  const temporary = results.filter((result) => classOf(result.outcome) === 'temporary');
  return { result: resultOf(claim, results), retryAfterMs: longestAsked(temporary) };
}

/** The end of a round in which nothing was answered. */
export function endWithout(result: 'unsent' | 'unjudged'): RoundEnd {
  return { result, retryAfterMs: 0 };
}

function longestAsked(results: readonly WebhookResult[]): number {
  return Math.max(0, ...results.map(({ retryAfterMs: askedMs }) => askedMs));
}

/** The rule that decides what happens to a webhook after an attempt: the attempt log names it (D-31; HOOK-9, 10, 11, 18). */
export function ruleOf(outcome: Outcome): string {
  switch (classOf(outcome)) {
    case 'success':
      return 'first_success_ends';
    case 'temporary':
      return 'temporary_failure_is_retried';
    case 'permanent':
      return outcome === 'tls_untrusted' ? 'untrusted_certificate_ends' : 'permanent_failure_ends';
  }
}

/** The most that the form in seconds can ask for; dates go on to where no time can be told any more. */
const MAX_ASKED_MS = 999_999_999_000;

/** Milliseconds that a `Retry-After` header asks for, in both of its forms; 0 when it asks for nothing sensible. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Anything but an HTTP date is ignored: Date.parse alone would take `-5` or `1.5` for years.
  if (!/^[A-Za-z]{3,9}, /.test(text)) return 0;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.min(Math.max(0, date - now), MAX_ASKED_MS);
}
