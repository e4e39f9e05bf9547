import type { Failure } from '../ports/transport.ts';
import { BLOCKED_ADDRESS } from './address-guard.ts';

/** What the network's own error codes mean (D-21). */
const BY_CODE: Readonly<Record<string, Failure>> = {
  [BLOCKED_ADDRESS]: 'blocked_address',
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  EAI_FAIL: 'dns_error',
  ECONNREFUSED: 'connect_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'connect_timeout',
  ENETUNREACH: 'connect_timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // The leaf signed itself: only the customer can mend that, so it is permanent (HOOK-11).
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  CERT_HAS_EXPIRED: 'tls_expired',
};

/** Certificate faults and handshake failures that have no row of their own. */
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** The outcome that stands for an error of the network, with its words for the attempt log. */
export function failureOf(error: Error): { failure: Failure; detail: string } {
  const code = codeOf(error);
  const detail = code === undefined ? error.message : `${code}: ${error.message}`;
  return { failure: byCode(code), detail: detail.slice(0, 1024) };
}

function byCode(code: string | undefined): Failure {
  if (code === undefined) return 'protocol_error';
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  return TLS.test(code) ? 'tls_other' : 'protocol_error';
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried: the first error speaks for all.
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== undefined);
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}
