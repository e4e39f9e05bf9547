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
} as const satisfies Record<Outcome, OutcomeClass>;

export function classOf(outcome: Outcome): OutcomeClass {
  return CLASSES[outcome];
}

/** The status alone decides, whatever the answer's body did (D-24). */
export function outcomeOf(result: PostResult): Outcome {
  return result.kind === 'failed' ? result.failure : outcomeOfStatus(result.status);
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
