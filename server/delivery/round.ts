import type { Claim, Verdict } from '../ports/delivery-store.ts';
import type { Random } from '../ports/random.ts';
import { classOf, type Outcome } from './outcome.ts';
import type { RoundResult } from './health.ts';
import type { DeliveryPolicy } from './policy.ts';
import { nextDueAt } from './schedule.ts';

/** What one webhook did in a round. */
export interface WebhookResult {
  readonly webhook: string;
  readonly outcome: Outcome;
  readonly retryAfterMs: number;
}

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
  const ended = {
    round: roundOfWindow(claim),
    receivedAt: claim.message.receivedAt,
    endedAt: now,
    retryAfterMs: Math.max(...temporary.map((result) => result.retryAfterMs)),
  };
  const dueAt = nextDueAt(policy, ended, random);
  if (dueAt === undefined) return { state: 'expired' };
  const refused = results.filter((result) => classOf(result.outcome) === 'permanent').map((result) => result.webhook);
  return { state: 'pending', dueAt, closed: [...claim.closed, ...refused] };
}

/** The number of a round within its window: a replay begins the schedule anew. */
export function roundOfWindow({ round, earlierRounds = 0 }: Claim): number {
  return round - earlierRounds;
}

/** What a round says of the health of its destination (D-25). */
export function resultOf(results: readonly WebhookResult[]): RoundResult {
  const classes = results.map((result) => classOf(result.outcome));
  if (classes.includes('success')) return 'delivered';
  if (classes.includes('temporary')) return 'failed';
  return classes.includes('permanent') ? 'refused' : 'unsent';
}

/** The rule that decides what happens to a webhook after an attempt: the attempt log names it (D-31). */
export function ruleOf(outcome: Outcome): string {
  switch (classOf(outcome)) {
    case 'success':
      return 'HOOK-10';
    case 'temporary':
      return 'HOOK-9';
    case 'permanent':
      return outcome === 'tls_untrusted' ? 'HOOK-11' : 'HOOK-18';
  }
}
