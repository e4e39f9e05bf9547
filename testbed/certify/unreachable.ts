import type { Outcome } from '../../server/model/outcome.ts';

type Reason = (url: URL) => string;

/** Outcomes of receivers to which there was no connection. */
const REASONS: { readonly [O in Outcome]?: Reason } = {
  connect_refused: ({ origin }) => `Nobody listens at ${origin}; start the receiver first, or give another URL`,
  connect_timeout: ({ origin }) =>
    `There is no connection to ${origin} in time; look whether it runs, and whether a firewall is in between`,
  dns_error: ({ hostname }) => `The name ${hostname} leads nowhere; look at its spelling`,
  blocked_address: ({ hostname }) =>
    `The name ${hostname} leads to an address beyond this machine; allow that with --allow-remote, and only for receivers of your own`,
  tls_untrusted: ({ origin }) =>
    `The certificate of ${origin} is not trusted; start Node with NODE_EXTRA_CA_CERTS=<the file of its authority>`,
  tls_expired: ({ origin }) => `The certificate of ${origin} has run out; renew it`,
  tls_other: ({ origin }) =>
    `There is no TLS handshake with ${origin}; look whether it speaks HTTPS, and TLS 1.2 or newer`,
};

/** Why a receiver cannot be asked at all, with the way out; undefined when there was a connection to it. */
export function unreachable(outcome: Outcome, url: string): string | undefined {
  return REASONS[outcome]?.(new URL(url));
}
