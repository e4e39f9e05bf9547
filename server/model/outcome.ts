import type { Failure, PostResult } from '../ports/transport.ts';

/** How an attempt ended, in the closed public vocabulary of the attempt log (D-21). */
export type Outcome =
  | 'delivered'
  | 'redirect_refused'
  | 'http_408'
  | 'http_425'
  | 'http_429'
  | 'http_4xx'
  | 'http_5xx'
  | 'http_other'
  | 'router_stalled'
  | Failure;

/** What an outcome means for the webhook: whether it may be tried again. */
export type OutcomeClass = 'success' | 'temporary' | 'permanent';

const CLASSES = {
  delivered: 'success',
  redirect_refused: 'permanent',
  http_408: 'temporary',
  http_425: 'temporary',
  http_429: 'temporary',
  http_4xx: 'permanent',
  http_5xx: 'temporary',
  http_other: 'permanent',
  dns_error: 'temporary',
  blocked_address: 'permanent',
  connect_refused: 'temporary',
  connect_timeout: 'temporary',
  tls_untrusted: 'permanent',
  tls_expired: 'temporary',
  tls_other: 'temporary',
  write_timeout: 'temporary',
  first_byte_timeout: 'temporary',
  reset: 'temporary',
  protocol_error: 'temporary',
  cancelled: 'temporary',
  router_exhausted: 'temporary',
  router_stalled: 'temporary',
} as const satisfies Record<Outcome, OutcomeClass>;

export function classOf(outcome: Outcome): OutcomeClass {
  return CLASSES[outcome];
}

/** The router's own doing, which says nothing of the receiver: no backoff and no parking follows from it. */
export function isOwnDoing(outcome: Outcome): boolean {
  return outcome === 'cancelled' || outcome === 'router_stalled' || outcome === 'router_exhausted';
}

/** The status alone decides, whatever the answer's body did (D-24). */
export function outcomeOf(result: PostResult): Outcome {
  return result.kind === 'failed' ? result.failure : outcomeOfStatus(result.status);
}

/** So large a part of its deadline a router may have stood still before a timeout is its own. */
const STALLED_SHARE = 1 / 5;

/** The outcome, unless the time was over while the router itself stood still: that is no fault of the receiver. */
export function outcomeDespiteStall(result: PostResult, stalledMs: number, deadlineMs: number): Outcome {
  const outcome = outcomeOf(result);
  return isTimeout(outcome) && stalledMs >= deadlineMs * STALLED_SHARE ? 'router_stalled' : outcome;
}

function isTimeout(outcome: Outcome): boolean {
  return outcome === 'connect_timeout' || outcome === 'write_timeout' || outcome === 'first_byte_timeout';
}

function outcomeOfStatus(status: number): Outcome {
  if (status === 408) return 'http_408';
  if (status === 425) return 'http_425';
  if (status === 429) return 'http_429';
  if (status >= 200 && status < 300) return 'delivered';
  if (status >= 300 && status < 400) return 'redirect_refused';
  if (status >= 400 && status < 500) return 'http_4xx';
  if (status >= 500 && status < 600) return 'http_5xx';
  return 'http_other';
}
