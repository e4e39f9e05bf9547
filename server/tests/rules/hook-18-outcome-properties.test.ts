import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf } from '../../delivery/failure.ts';
import { BLOCKED_ADDRESS } from '../../delivery/guarded-lookup.ts';
import { classOf, type Outcome, outcomeOf, type OutcomeClass } from '../../model/outcome.ts';
import { ruleOf } from '../../delivery/round.ts';
import { type Failure, FAILURES } from '../../ports/transport.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

/** The vocabulary of the attempt log (D-21), written down a second time. */
const VOCABULARY: readonly Outcome[] = [
  'delivered',
  'redirect_refused',
  'http_408',
  'http_425',
  'http_429',
  'http_4xx',
  'http_5xx',
  'http_other',
  'dns_error',
  'blocked_address',
  'connect_refused',
  'connect_timeout',
  'tls_untrusted',
  'tls_expired',
  'tls_other',
  'write_timeout',
  'first_byte_timeout',
  'reset',
  'protocol_error',
  'cancelled',
  'router_exhausted',
  // Of the engine, not of the network: the router itself stood still.
  'router_stalled',
];

/** A failure without an answer is for a while, but for these two (HOOK-11, D-28). */
const FOR_GOOD: readonly Failure[] = ['tls_untrusted', 'blocked_address'];
const STATUSES = Array.from({ length: 900 }, (_, index) => 100 + index);

const anyStatus = fc.integer({ min: 100, max: 999 });
const anyText = fc.string({ unit: CODE_POINT, maxLength: 20 });

test('HOOK-9, HOOK-18: every status from 100 to 999 is of the class that the rules say', () => {
  const wrong = STATUSES.filter((status) => classOfStatus(status) !== classByRule(status));
  expect(wrong).toEqual([]);
  const outcomes = new Set(STATUSES.map((status) => outcomeOf(answered(status))));
  expect([...outcomes].toSorted()).toEqual(VOCABULARY.slice(0, 8).toSorted());
});

test('HOOK-9, HOOK-11: every failure is an outcome, and permanent for two causes alone', () => {
  expect([...FAILURES].toSorted()).toEqual(VOCABULARY.slice(8, -1).toSorted());
  for (const failure of FAILURES) {
    const outcome = outcomeOf({ kind: 'failed', failure, detail: '' });
    expect(outcome).toBe(failure);
    expect(classOf(outcome)).toBe(FOR_GOOD.includes(failure) ? 'permanent' : 'temporary');
  }
});

test('D-24: the status alone decides, whatever else an answer brings', () => {
  fc.assert(
    fc.property(anyStatus, anyText, fc.option(anyText, { nil: undefined }), (status, excerpt, retryAfter) => {
      const full = { ...answered(status), excerpt, ...(retryAfter === undefined ? {} : { retryAfter }) };
      expect(outcomeOf(full)).toBe(outcomeOf(answered(status)));
      expect(classOf(outcomeOf(full))).toBe(classByRule(status));
    }),
    { numRuns: 10_000 },
  );
});

test('D-21: every error of the network is one of the failures, with bounded words', () => {
  fc.assert(
    fc.property(anyError(), (error) => {
      const { failure, detail } = failureOf(error);
      expect(FAILURES).toContain(failure);
      expect(detail.length).toBeLessThanOrEqual(1024);
      const isForGood = classOf(failure) === 'permanent';
      expect(isForGood).toBe(FOR_GOOD_CODES.some((code) => code === codeIn(error)));
    }),
    { numRuns: 10_000 },
  );
});

test('D-31: the rule that is named fits the class of every outcome', () => {
  for (const outcome of VOCABULARY) {
    const rules: Record<OutcomeClass, readonly string[]> = {
      success: ['first_success_ends'],
      temporary: ['temporary_failure_is_retried'],
      permanent: ['permanent_failure_ends', 'untrusted_certificate_ends'],
    };
    expect(rules[classOf(outcome)]).toContain(ruleOf(outcome));
  }
});

test('HOOK-18: the comparison finds a status of the wrong class', () => {
  const wrong = STATUSES.filter(
    (status) => (status === 404 ? 'success' : classOfStatus(status)) !== classByRule(status),
  );
  expect(wrong).toEqual([404]);
});

/** What D-21 says, in words of its own. */
function classByRule(status: number): OutcomeClass {
  const hundreds = Math.floor(status / 100);
  if (hundreds === 2) return 'success';
  return hundreds === 5 || [408, 425, 429].includes(status) ? 'temporary' : 'permanent';
}

function classOfStatus(status: number): OutcomeClass {
  return classOf(outcomeOf(answered(status)));
}

function answered(status: number): { kind: 'answered'; status: number; excerpt: string } {
  return { kind: 'answered', status, excerpt: '' };
}

const FOR_GOOD_CODES = ['DEPTH_ZERO_SELF_SIGNED_CERT', BLOCKED_ADDRESS];
const CODES = [
  ...FOR_GOOD_CODES,
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPROTO',
  'CERT_HAS_EXPIRED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'HPE_INVALID_CONSTANT',
];

/** Errors as Node and undici throw them: with a code, as the cause of another, or several of several addresses. */
function anyError(): fc.Arbitrary<Error> {
  const code = fc.oneof(fc.constantFrom(...CODES, 'constructor', '__proto__'), anyText);
  const plain = fc.tuple(anyText, code).map(([words, one]) => Object.assign(new Error(words), { code: one }));
  const long = fc.nat(3_000).map((length) => new Error('x'.repeat(length)));
  const leaf = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: long });
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: leaf.map((cause) => new Error('failed', { cause })) },
    {
      weight: 1,
      arbitrary: fc.array(leaf, { maxLength: 3 }).map((errors) => new AggregateError(errors, 'all failed')),
    },
  );
}

/** The code that speaks for an error. */
function codeIn(error: Error): unknown {
  if ('code' in error) return error.code;
  if (error instanceof AggregateError) {
    return error.errors.map((one: Error) => codeIn(one)).find((code) => code !== undefined);
  }
  return error.cause instanceof Error ? codeIn(error.cause) : undefined;
}
