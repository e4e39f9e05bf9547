import type { Failure } from '../ports/transport.ts';
import { BLOCKED_ADDRESS } from './guarded-lookup.ts';

/** The code of the error with which a connection ends that the egress proxy does not make. */
export const EGRESS_PROXY = 'WAYBILL_EGRESS_PROXY';
export const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT';

/** What the network's own error codes mean (D-21). */
const BY_CODE: Readonly<Record<string, Failure>> = {
  [BLOCKED_ADDRESS]: 'blocked_address',
  [EGRESS_PROXY]: 'connect_refused',
  ENOTFOUND: 'dns_error',
  ECONNREFUSED: 'connect_refused',
  [CONNECT_TIMEOUT]: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'connect_timeout',
  EHOSTDOWN: 'connect_timeout',
  ENETUNREACH: 'connect_timeout',
  ENETDOWN: 'connect_timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // The router, or its machine, has no file, port or memory left for a connection: no receiver can help that.
  EMFILE: 'router_exhausted',
  ENFILE: 'router_exhausted',
  ENOBUFS: 'router_exhausted',
  ENOMEM: 'router_exhausted',
  EADDRNOTAVAIL: 'router_exhausted',
  // The leaf signed itself: only the customer can mend that, so it is permanent (HOOK-11).
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  CERT_HAS_EXPIRED: 'tls_expired',
};

/**
 * What fails so before anything was sent back is told in words of this router and its machine. There is no secret to look for in them,
 * which takes as long as such an attempt.
 */
export const UNANSWERED: ReadonlySet<Failure> = new Set([
  'dns_error',
  'connect_refused',
  'connect_timeout',
  'write_timeout',
  'first_byte_timeout',
]);

/** What a name server, or the one that asks it, says. */
const DNS = /^EAI_/;
/** Certificate faults and handshake failures that have no row of their own: the names that Node and OpenSSL give them. */
const TLS =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_|UNSPECIFIED$|EPROTO$)/;

/** The outcome that stands for an error of the network, with its words for the attempt log. */
export function failureOf(error: Error): { failure: Failure; detail: string } {
  const code = codeOf(error);
  const detail = code === undefined ? error.message : `${code}: ${error.message}`;
  return { failure: breaksProtocol(error) ? 'protocol_error' : byCode(code), detail: detail.slice(0, 1024) };
}

/** Whether the router, or its machine, has nothing left for a connection. */
export function isExhaustion(error: Error): boolean {
  return byCode(codeOf(error)) === 'router_exhausted';
}

/** undici gives a wrong answer (a 101 or a 100 that nobody asked for) the code of a socket that broke. */
function breaksProtocol(error: Error): boolean {
  return error.message === 'bad response' || error.message === 'bad upgrade';
}

function byCode(code: string | undefined): Failure {
  if (code === undefined) return 'protocol_error';
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (DNS.test(code)) return 'dns_error';
  return TLS.test(code) ? 'tls_other' : 'protocol_error';
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried: the first error speaks for all.
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== undefined);
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}
