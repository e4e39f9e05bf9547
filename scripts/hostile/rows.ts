import type { Outcome } from '../../server/model/outcome.ts';
import type { TlsFault } from '../../testbed/tls/tls-fault.ts';
import type { RawFault } from './raw-faults.ts';

/** How long an attempt may take, and how near to its end an answer that is just in time, or just late, comes. */
export interface Timing {
  readonly deadlineMs: number;
  readonly marginMs: number;
}

/** Who is hostile: a receiver that plays a script, one that sends raw bytes, a TLS server, or nobody at all. */
export type Hostile =
  | { readonly script: string | ((timing: Timing) => string) }
  | { readonly raw: RawFault }
  | { readonly tls: TlsFault }
  | { readonly nobody: 'refuses' | 'black hole' | 'unknown name' | 'silent name server' };

export interface HostileRow {
  readonly fault: string;
  readonly hostile: Hostile;
  readonly outcome: Outcome;
  /** What frees the slot: the receiver's doing, or the deadline. */
  readonly until: 'end' | 'deadline';
  /** Bytes to send; default those of an event. */
  readonly bodyBytes?: number;
}

/** The battery of hostile receivers, and what the router makes of each (D-21, D-24). */
export const HOSTILE_ROWS: readonly HostileRow[] = [
  row('refuses', { nobody: 'refuses' }, 'connect_refused'),
  row('SYN black hole', { nobody: 'black hole' }, 'connect_timeout', 'deadline'),
  row('unknown name', { nobody: 'unknown name' }, 'dns_error'),
  row('silent name server', { nobody: 'silent name server' }, 'connect_timeout', 'deadline'),
  row('accepts, then silence', { script: 'silence:connect' }, 'first_byte_timeout', 'deadline'),
  row('silence after the request', { script: 'silence:request' }, 'first_byte_timeout', 'deadline'),
  row('headers, then silence', { script: '200+silence:headers' }, 'delivered', 'deadline'),
  row('500 headers, then silence', { script: '500+silence:headers' }, 'http_5xx', 'deadline'),
  row('half a body, then silence', { script: '200+silence:body' }, 'delivered', 'deadline'),
  row('reads nothing of 8 MB', { raw: 'deaf' }, 'first_byte_timeout', 'deadline', 8 << 20),
  row('resets at once', { script: 'reset:connect' }, 'reset'),
  row('resets during the upload', { script: 'reset:upload' }, 'reset', 'end', 8 << 20),
  row('resets after the request', { script: 'reset:request' }, 'reset'),
  row('resets after the headers', { script: '200+reset:headers' }, 'delivered'),
  row('resets within the body', { script: '503+reset:body' }, 'http_5xx'),
  row('closes at once', { script: 'close:connect' }, 'reset'),
  row('closes during the upload', { script: 'close:upload' }, 'reset', 'end', 8 << 20),
  row('closes after the request', { script: 'close:request' }, 'reset'),
  row('closes after a whole answer', { script: '200+close:answer' }, 'delivered'),
  row('headers at 1 byte a second', { script: 'drip-headers:1B/1s' }, 'first_byte_timeout', 'deadline'),
  row('body at 1 byte a second', { script: 'drip:1B/1s' }, 'delivered', 'deadline'),
  row('2 GB of body', { script: 'size:2GB' }, 'delivered'),
  row('gzip bomb of 2 GB', { script: 'size:2GB+gzip' }, 'delivered'),
  row('chunks without end', { script: 'size:endless' }, 'delivered'),
  row('body without length or end', { raw: 'endless-body-without-length' }, 'delivered'),
  row('chunk extension without end', { raw: 'endless-chunk-extension' }, 'delivered'),
  row('trailers without end', { raw: 'endless-trailers' }, 'delivered'),
  row('10 MB header', { script: 'header-size:10MB' }, 'protocol_error'),
  row('headers without end', { raw: 'endless-headers' }, 'protocol_error'),
  row('header name without end', { raw: 'endless-header-name' }, 'protocol_error'),
  row('reason phrase without end', { raw: 'endless-reason' }, 'protocol_error'),
  row('100 Continue, nobody asked', { script: 'interim:100' }, 'protocol_error'),
  row('flood of 100 Continue', { script: 'interim:100x1000000' }, 'protocol_error'),
  row('some early hints', { script: 'interim:103x5' }, 'delivered'),
  row('flood of 1xx', { script: 'interim:103x1000000' }, 'protocol_error'),
  row('1xx without end', { raw: 'endless-interim' }, 'protocol_error'),
  row('101, nobody asked', { raw: 'switching-protocols' }, 'protocol_error'),
  row('invalid status line', { script: 'malformed:status-line' }, 'protocol_error'),
  row('HTTP/0.9', { script: 'malformed:http-0.9' }, 'protocol_error'),
  row('header without colon', { script: 'malformed:header' }, 'protocol_error'),
  row('Content-Length too long', { script: 'malformed:length-over' }, 'delivered'),
  row('Content-Length too short', { script: 'malformed:length-under' }, 'delivered'),
  row('two Content-Lengths', { script: 'malformed:length-twice' }, 'protocol_error'),
  row('bad chunk', { script: 'malformed:chunk' }, 'delivered'),
  row('garbage', { script: 'malformed:garbage' }, 'protocol_error'),
  row('answers the next request ahead', { raw: 'two-answers' }, 'delivered'),
  row('200 just in time', { script: (t) => `delay:${t.deadlineMs - t.marginMs}ms` }, 'delivered'),
  row('200 just late', { script: (t) => `delay:${t.deadlineMs + t.marginMs}ms` }, 'first_byte_timeout', 'deadline'),
  ...[301, 302, 303, 307, 308].map((status) =>
    row(`${status} to itself`, { script: `${status}+to:self` }, 'redirect_refused'),
  ),
  row('302 to loopback', { script: '302+to:http://127.0.0.1:22/' }, 'redirect_refused'),
  row('307 to metadata', { script: '307+to:http://169.254.169.254/latest/meta-data/' }, 'redirect_refused'),
  ...[204, 299].map((status) => row(`${status}`, { script: `${status}` }, 'delivered')),
  row('304', { script: '304' }, 'redirect_refused'),
  ...[400, 401, 403, 404, 410, 413].map((status) => row(`${status}`, { script: `${status}` }, 'http_4xx')),
  row('408', { script: '408' }, 'http_408'),
  row('425', { script: '425' }, 'http_425'),
  row('429', { script: '429' }, 'http_429'),
  row('429, Retry-After in seconds', { script: '429+retry-after:30s' }, 'http_429'),
  row('429, Retry-After as a date', { script: '429+retry-after-date:30s' }, 'http_429'),
  ...[500, 501, 502, 503, 504, 599].map((status) => row(`${status}`, { script: `${status}` }, 'http_5xx')),
  row('600', { raw: 'status-600' }, 'http_other'),
  row('TLS: self-signed', { tls: 'self-signed' }, 'tls_untrusted'),
  row('TLS: expired', { tls: 'expired' }, 'tls_expired'),
  row('TLS: wrong host', { tls: 'wrong-host' }, 'tls_other'),
  row('TLS: unknown CA', { tls: 'unknown-ca' }, 'tls_other'),
  row('TLS: chain with a gap', { tls: 'missing-intermediate' }, 'tls_other'),
  row('TLS 1.0 only', { tls: 'old-version' }, 'tls_other'),
  row('TLS: handshake stalls', { tls: 'handshake-stall' }, 'connect_timeout', 'deadline'),
  row('TLS: other ALPN', { tls: 'other-protocol' }, 'tls_other'),
  row('TLS: plain HTTP there', { tls: 'no-tls' }, 'tls_other'),
];

function row(
  fault: string,
  hostile: Hostile,
  outcome: Outcome,
  until: HostileRow['until'] = 'end',
  bodyBytes?: number,
): HostileRow {
  return { fault, hostile, outcome, until, ...(bodyBytes === undefined ? {} : { bodyBytes }) };
}
