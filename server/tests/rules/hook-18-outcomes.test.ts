import { expect, test } from 'vitest';
import { classOf, isOwnDoing, type Outcome, outcomeDespiteStall, outcomeOf } from '../../model/outcome.ts';
import { FAILURES, type PostResult } from '../../ports/transport.ts';

const ALL: readonly Outcome[] = [
  'delivered',
  'redirect_refused',
  'http_408',
  'http_425',
  'http_429',
  'http_4xx',
  'http_5xx',
  'http_other',
  ...FAILURES,
  'router_stalled',
];

const answered = (status: number): PostResult => ({ kind: 'answered', status, excerpt: '' });

test.each<readonly [status: number, outcome: Outcome]>([
  [100, 'http_other'],
  [199, 'http_other'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'redirect_refused'],
  [399, 'redirect_refused'],
  [400, 'http_4xx'],
  [407, 'http_4xx'],
  [408, 'http_408'],
  [409, 'http_4xx'],
  [424, 'http_4xx'],
  [425, 'http_425'],
  [426, 'http_4xx'],
  [428, 'http_4xx'],
  [429, 'http_429'],
  [430, 'http_4xx'],
  [499, 'http_4xx'],
  [500, 'http_5xx'],
  [599, 'http_5xx'],
  [600, 'http_other'],
])('HOOK-18: the status %i is %s', (status, outcome) => {
  expect(outcomeOf(answered(status))).toBe(outcome);
  // An answer is an answer, however long the router stood still.
  expect(outcomeDespiteStall(answered(status), 5_000, 5_000)).toBe(outcome);
});

test('HOOK-9, HOOK-18: what may be better later is tried again, and nothing else', () => {
  const classes = Map.groupBy(ALL, classOf);
  expect(classes.get('success')).toEqual(['delivered']);
  expect(classes.get('permanent')).toEqual([
    'redirect_refused',
    'http_4xx',
    'http_other',
    'blocked_address',
    'tls_untrusted',
  ]);
  expect(ALL.filter(isOwnDoing)).toEqual(['cancelled', 'router_exhausted', 'router_stalled']);
});

test.each(['connect_timeout', 'write_timeout', 'first_byte_timeout'] as const)(
  'HOOK-8: a %s is the own doing of a router that stood still for a fifth of it',
  (failure) => {
    const result: PostResult = { kind: 'failed', failure, detail: '' };
    expect(outcomeDespiteStall(result, 999, 5_000)).toBe(failure);
    expect(outcomeDespiteStall(result, 1_000, 5_000)).toBe('router_stalled');
  },
);

test('HOOK-8: no other failure is', () => {
  expect(outcomeDespiteStall({ kind: 'failed', failure: 'reset', detail: '' }, 5_000, 5_000)).toBe('reset');
});
