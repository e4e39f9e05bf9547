import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Method } from '../../config/call.ts';
import { readRetryAfter, retryWaitMs, STANDARD_RETRY } from '../../config/retry.ts';

const NOW = Date.parse('2026-11-20T23:10:38Z');

const refused = (fields: { method?: Method; status?: number; retryAfterMs?: number; retries?: number } = {}) => ({
  method: 'get' as const,
  status: 429,
  retryAfterMs: undefined,
  retries: 0,
  ...fields,
});

describe('whether a request is repeated', () => {
  test.each([
    ['get', 429, true],
    ['post', 429, true],
    ['patch', 429, true],
    ['delete', 429, true],
    ['get', 503, true],
    ['post', 503, false],
    ['patch', 503, true],
    ['delete', 503, true],
    ['get', 200, false],
    ['get', 400, false],
    ['get', 404, false],
    ['get', 408, false],
    ['get', 500, false],
    ['get', 502, false],
    ['get', 504, false],
  ] as const)('%s after %d: %s', (method, status, repeated) => {
    expect(retryWaitMs(STANDARD_RETRY, refused({ method, status }), () => 0) !== undefined).toBe(repeated);
  });

  test('it is not repeated more often than the policy says', () => {
    const policy = { ...STANDARD_RETRY, maxRetries: 2 };
    const waits = [0, 1, 2].map((retries) => retryWaitMs(policy, refused({ retries }), () => 0));
    expect(waits).toEqual([250, 500, undefined]);
  });
});

describe('how long it waits', () => {
  test('waits double up to the longest, with jitter in the upper half', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 90 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (retries, random) => {
          const policy = { maxRetries: 100, firstWaitMs: 500, longestWaitMs: 60_000 };
          const ceiling = Math.min(60_000, 500 * 2 ** retries);
          const waitMs = retryWaitMs(policy, refused({ retries }), () => random);
          expect(waitMs).toBeGreaterThanOrEqual(ceiling / 2);
          expect(waitMs).toBeLessThanOrEqual(ceiling);
        },
      ),
    );
  });

  test('D-9: Retry-After takes the place of the wait', () => {
    expect(retryWaitMs(STANDARD_RETRY, refused({ retryAfterMs: 7000, retries: 3 }), () => 0.5)).toBe(7000);
    expect(retryWaitMs(STANDARD_RETRY, refused({ retryAfterMs: 60_000 }), () => 0)).toBe(60_000);
  });

  test('a Retry-After of nothing takes the wait of the policy', () => {
    expect(retryWaitMs(STANDARD_RETRY, refused({ retryAfterMs: 0 }), () => 0)).toBe(250);
  });

  test('a Retry-After beyond the longest wait is not waited for', () => {
    expect(retryWaitMs(STANDARD_RETRY, refused({ retryAfterMs: 60_001 }), () => 0)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['1', 1000],
    [' 120 ', 120_000],
    ['Fri, 20 Nov 2026 23:11:38 GMT', 60_000],
    ['Friday, 20-Nov-26 23:10:39 GMT', 1000],
    ['Fri, 20 Nov 2026 23:00:00 GMT', 0],
    ['', undefined],
    [null, undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['9'.repeat(30), undefined],
    ['2026-11-20', undefined],
    ['Fri, no date', undefined],
  ])('of %j means %j ms', (header, ms) => {
    expect(readRetryAfter(header, NOW)).toBe(ms);
  });
});
