import { expect, test } from 'vitest';
import { failureOf } from '../../delivery/failure.ts';
import { BLOCKED_ADDRESS } from '../../delivery/guarded-lookup.ts';

const coded = (code: unknown, cause?: unknown): Error => Object.assign(new Error('words', { cause }), { code });

/** Faults of certificates and handshakes that have no outcome of their own. */
const TLS = `ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER CERT_REVOKED CRL_HAS_EXPIRED UNSPECIFIED EPROTO
  UNABLE_TO_VERIFY_LEAF_SIGNATURE ERROR_IN_CERT_NOT_AFTER_FIELD SELF_SIGNED_CERT_IN_CHAIN INVALID_CA
  PATH_LENGTH_EXCEEDED HOSTNAME_MISMATCH`.split(/\s+/);

test.each([
  ['blocked_address', [BLOCKED_ADDRESS]],
  ['dns_error', ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']],
  ['connect_refused', ['ECONNREFUSED']],
  ['connect_timeout', ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN']],
  ['reset', ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']],
  ['router_exhausted', ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']],
  ['tls_untrusted', ['DEPTH_ZERO_SELF_SIGNED_CERT']],
  ['tls_expired', ['CERT_HAS_EXPIRED']],
  ['tls_other', TLS],
  // Names that every object has are no codes, and neither is what only contains one.
  [
    'protocol_error',
    ['HPE_INVALID_CONSTANT', 'constructor', 'toString', 'XEAI_AGAIN', 'XEPROTO', 'EPROTONOSUPPORT', ''],
  ],
] as const)('D-21: the outcome %s stands for the codes %j', (failure, codes) => {
  for (const code of codes) expect([code, failureOf(coded(code)).failure]).toEqual([code, failure]);
});

test.each([
  ['no cause', new Error('words')],
  ['a cause that is no error', new Error('words', { cause: { code: 'EPIPE' } })],
  ['a code that is no text', coded(7)],
  ['several errors without a code', new AggregateError([new Error('one'), new Error('two')], 'words')],
])('D-21: an error without a code, and %s, broke the protocol', (_what, error) => {
  expect(failureOf(error)).toEqual({ failure: 'protocol_error', detail: 'words' });
});

test('D-21: the code of an error stands over that of its cause', () => {
  expect(failureOf(coded('ECONNREFUSED', coded('EPIPE')))).toMatchObject({ failure: 'connect_refused' });
});

test('D-31: no more than 1,024 characters are told of an error', () => {
  const error = Object.assign(new Error('x'.repeat(2_000)), { code: 'EPIPE' });
  expect(failureOf(error).detail).toBe(`EPIPE: ${'x'.repeat(1_024 - 7)}`);
});
