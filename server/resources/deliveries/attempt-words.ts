import { classOf, isOwnDoing, type Outcome } from '../../model/outcome.ts';
import type { LoggedAttempt } from '../../model/logged-delivery.ts';

/** What an attempt led to for its webhook. */
export type Next = 'delivered' | 'retried' | 'closed' | 'none';

/** How each outcome is said of a webhook, where no status says it. */
const WORDS: Readonly<Record<Outcome, string>> = {
  delivered: 'took it',
  redirect_refused: 'sent a redirect',
  http_408: 'asked for another try',
  http_425: 'asked for a later try',
  http_429: 'asked for fewer requests',
  http_4xx: 'refused it',
  http_5xx: 'failed',
  http_other: 'answered with a status that is none',
  dns_error: 'has a host name that could not be looked up',
  blocked_address: 'leads to an address that may not be reached, so nothing was sent',
  connect_refused: 'refused the connection',
  connect_timeout: 'could not be connected to in time',
  tls_untrusted: 'has a self-signed certificate, so nothing was sent',
  tls_expired: 'has a certificate that has expired, so nothing was sent',
  tls_other: 'could not be reached over TLS, so nothing was sent',
  write_timeout: 'did not take the request in time',
  first_byte_timeout: 'did not answer in time',
  reset: 'broke the connection',
  protocol_error: 'sent something that is no HTTP answer',
  cancelled: 'was not waited for, as the router was stopping',
  router_stalled: 'was given too little time, as the router itself stood still',
};

/** The first part of a sentence about the webhook: `answered 503`. */
export function outcomeWords({ outcome, status }: Pick<LoggedAttempt, 'outcome' | 'status'>): string {
  return status === undefined ? WORDS[outcome] : `answered ${status}`;
}

export function nextOf({ outcome, nextDueAt }: Pick<LoggedAttempt, 'outcome' | 'nextDueAt'>): Next {
  if (nextDueAt !== undefined) return 'retried';
  switch (classOf(outcome)) {
    case 'success':
      return 'delivered';
    case 'permanent':
      return 'closed';
    case 'temporary':
      return 'none';
  }
}

/** What the router did itself is held against nobody. */
const OWN_DOING = {
  retried: 'not the fault of the receiver: it is tried again soon, and the try does not count',
  none: 'not the fault of the receiver, and not tried again, because the delivery ended with this round',
} as const;

/** The rule that decided, in words (D-31). */
export function decisionWords(attempt: LoggedAttempt): string {
  if (isOwnDoing(attempt.outcome)) return OWN_DOING[attempt.nextDueAt === undefined ? 'none' : 'retried'];
  switch (nextOf(attempt)) {
    case 'delivered':
      return 'a success ends the delivery, and no webhook is tried again for it';
    case 'retried':
      return 'a temporary failure is tried again within the four hours';
    case 'closed':
      return attempt.outcome === 'tls_untrusted'
        ? 'nobody vouches for a self-signed certificate, so this webhook is not tried again for this event'
        : 'a permanent failure: this webhook is not tried again for this event';
    case 'none':
      return 'a temporary failure that was not tried again, because the delivery ended with this round';
  }
}
