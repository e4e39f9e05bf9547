import { outcomeOf, type Outcome } from '../../server/model/outcome.ts';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import type { Received } from '../receiver/received.ts';
import { eventIdOf, eventTypeOf } from '../schemes/said.ts';
import { WAYBILL } from '../schemes/waybill.ts';
import { simulateBehavior } from '../simulation/simulated-behavior.ts';

/** A request as an endpoint recorded it, with what it did about it. */
export type Observed = Pick<
  Received,
  'number' | 'at' | 'method' | 'path' | 'headers' | 'body' | 'event' | 'turn' | 'scheme'
>;

/** Something that a sender did, and must not do. */
export interface Violation {
  /** What it breaks, in a word that lasts: `retry-schedule`. */
  readonly rule: string;
  /** Which request, and what is wrong with it; no secrets. */
  readonly words: string;
}

/** What the sender must have made of the answer to a request, and when. */
export interface Answered {
  readonly outcome: Outcome;
  readonly endedAt: number;
  readonly retryAfterMs: number;
}

/** What of a request decides when it was answered. */
type Asked = Pick<Observed, 'at'> & { readonly turn: Pick<Observed['turn'], 'behavior' | 'delayMs'> };

/** How a request looks from the other side, for a sender that keeps the deadline. */
export function answered({ at, turn }: Asked, deadlineMs = DEFAULT_POLICY.deadlineMs): Answered {
  const { afterMs = 0, result } = simulateBehavior(turn.behavior, { now: at, delayMs: turn.delayMs, deadlineMs });
  const retryAfterMs = turn.behavior.kind === 'answer' ? (turn.behavior.retryAfter?.ms ?? 0) : 0;
  if (afterMs >= deadlineMs) return { outcome: 'first_byte_timeout', endedAt: at + deadlineMs, retryAfterMs: 0 };
  return { outcome: outcomeOf(result), endedAt: at + afterMs, retryAfterMs };
}

export function isOfWaybill({ scheme }: Observed): boolean {
  return scheme.name === WAYBILL.name;
}

/**
 * The webhook that a request came to: its path, and of Waybill the query too, in which two webhooks may differ. Other senders
 * may put something of each request into it.
 */
export function webhookOf(request: Observed): string {
  const { path } = request;
  return isOfWaybill(request) ? path : path.replace(/\?.*$/s, '');
}

/** The attempts of each event at each webhook, in order of arrival. What does not say which event it is of stands alone. */
export function attemptsOf<T extends Observed>(observed: readonly T[]): readonly (readonly T[])[] {
  const groups = Map.groupBy(observed, (each) =>
    JSON.stringify([webhookOf(each), eventIdOf(each) ?? `request ${each.number}`]),
  );
  return [...groups.values()].map((attempts) => attempts.toSorted((a, b) => a.at - b.at || a.number - b.number));
}

export function nameOf(each: Observed): string {
  const id = eventIdOf(each);
  return `#${each.number} (${eventTypeOf(each) ?? each.method}${id === undefined ? '' : ` ${id}`})`;
}
