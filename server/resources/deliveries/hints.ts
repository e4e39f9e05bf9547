import type { Outcome } from '../../model/outcome.ts';
import type { LoggedAttempt } from '../../model/logged-delivery.ts';

/** What may help, by HTTP status … */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'the receiver does not accept the credentials: check the static headers of the webhook, and the shared secret',
  403: 'the receiver does not accept the credentials: check the static headers of the webhook, and the shared secret',
  404: 'the receiver knows no such path: check the URL of the webhook',
  405: 'the receiver takes no POST at this path: check the URL of the webhook',
  410: 'the receiver says that the endpoint is gone: remove the webhook, or give it its new URL',
  413: 'the receiver takes no bodies of this size: raise its limit above 32 KB',
  415: 'the receiver wants another content type: bodies are sent as application/json',
};

/** … and by outcome. */
const BY_OUTCOME: Readonly<Partial<Record<Outcome, string>>> = {
  redirect_refused: 'redirects are not followed: give the webhook the URL at which the redirect ends',
  http_429: 'the receiver is asked more than it wants: its `Retry-After` is honoured within the four hours',
  http_4xx: 'the receiver refused the request itself, which would not change by asking again: see its answer',
  http_5xx: 'the receiver itself failed: its own log at these times may say why',
  dns_error: 'the host name was not found: check its spelling, and its DNS entry',
  blocked_address: 'addresses that are not public are reached only if the router is started with --allow-networks',
  connect_refused: 'nothing listens at this host and port: check that the receiver runs, and the port of the URL',
  connect_timeout: 'nothing answers at this host: a firewall between here and there may drop the packets',
  tls_untrusted: 'the certificate is self-signed: use one of a certificate authority that is publicly trusted',
  tls_expired: 'the certificate has expired: renew it',
  tls_other: 'the TLS connection was not made: check host name, chain and TLS version of the receiver',
  first_byte_timeout: 'an answer has to come within 5 s: the receiver should answer first, and work afterwards',
  write_timeout: 'the request was not read within 5 s: the receiver may be overloaded',
  reset: 'the receiver closed the connection without an answer: it may have been restarted, or be overloaded',
  router_stalled:
    'the router itself stood still: its machine is overloaded, or was paused; the receiver is not to blame',
  protocol_error: 'what answers there does not speak HTTP/1.1: check port and scheme of the URL',
};

/** One hint for each kind of failure among the attempts, the most frequent first, with how often it happened. */
export function hintsFor(attempts: readonly LoggedAttempt[]): string[] {
  const counts = new Map<string, number>();
  for (const { outcome, status } of attempts) {
    const hint = BY_STATUS[status ?? 0] ?? BY_OUTCOME[outcome];
    if (hint !== undefined) counts.set(hint, (counts.get(hint) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([hint, count]) => `${count} of ${attempts.length} attempts: ${hint}`);
}
