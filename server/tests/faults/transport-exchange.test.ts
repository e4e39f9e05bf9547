import { expect, test, vi } from 'vitest';
import { Exchange } from '../../delivery/exchange.ts';
import { failureOf } from '../../delivery/failure.ts';
import type { PostRequest, PostResult } from '../../ports/transport.ts';

const DEADLINE_MS = 300;

/** An exchange whose connection and time the test moves by hand. */
function startExchange({ mayLeave }: Pick<PostRequest, 'mayLeave'> = {}) {
  vi.useFakeTimers();
  const [results, aborts]: [PostResult[], string[]] = [[], []];
  const request = {
    workspace: 'workspaces/main',
    url: 'https://a.test/',
    headers: {},
    body: Buffer.from('{}'),
    deadlineMs: DEADLINE_MS,
  };
  const asked = { ...request, ...(mayLeave && { mayLeave }) };
  const exchange = new Exchange(asked, (result) => results.push(result));
  const connection = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason: Error) => void aborts.push(reason.message),
    pause: () => {},
    resume: () => {},
  };
  const steps = {
    connected: () => exchange.onRequestStart(connection),
    sent: () => exchange.onRequestSent(),
    interim: (status = 103) => exchange.onResponseStart(connection, status, {}),
    accepted: () => exchange.onResponseStart(connection, 200, {}),
    answered: () => exchange.onResponseStart(connection, 503, { 'retry-after': ['7', '8'] }),
    read: (bytes = 1) => exchange.onResponseData(connection, Buffer.alloc(bytes, 'x')),
    ended: () => exchange.onResponseEnd(),
    reset: () => exchange.onResponseError(connection, Object.assign(new Error('gone'), { code: 'ECONNRESET' })),
    cancelled: () => exchange.cancel(),
    late: () => void vi.advanceTimersByTime(DEADLINE_MS),
  };
  const [advance, timers] = [(ms: number) => void vi.advanceTimersByTime(ms), () => vi.getTimerCount()];
  return { steps, results, aborts, advance, timers, [Symbol.dispose]: () => void vi.useRealTimers() };
}

type Step = keyof ReturnType<typeof startExchange>['steps'];

const ANSWERED = { kind: 'answered', status: 503, retryAfter: '7' };

test.each<readonly [steps: readonly Step[], result: object, phases: readonly string[]]>([
  [['late'], { failure: 'connect_timeout', detail: 'no connection within 0.3 s' }, ['connectMs']],
  [
    ['connected', 'late'],
    { failure: 'write_timeout', detail: 'the request was not read within 0.3 s' },
    ['connectMs', 'sendMs'],
  ],
  [
    ['connected', 'sent', 'interim', 'late'],
    { failure: 'first_byte_timeout', detail: 'no answer within 0.3 s' },
    ['connectMs', 'sendMs', 'waitMs'],
  ],
  [['connected', 'sent', 'answered', 'late'], ANSWERED, ['connectMs', 'sendMs', 'waitMs', 'readMs']],
  [
    ['connected', 'sent', 'answered', 'read', 'reset'],
    { ...ANSWERED, excerpt: 'x' },
    ['connectMs', 'sendMs', 'waitMs', 'readMs'],
  ],
  [['connected', 'sent', 'reset'], { failure: 'reset' }, ['connectMs', 'sendMs', 'waitMs']],
  // An answer that comes before all of the request was read counts, and no end of sending makes it wait for another.
  [['connected', 'answered', 'sent', 'late'], ANSWERED, ['connectMs', 'sendMs', 'readMs']],
  [['cancelled'], { failure: 'cancelled' }, ['connectMs']],
  [['connected', 'sent', 'cancelled', 'reset', 'late'], { failure: 'cancelled' }, ['connectMs', 'sendMs', 'waitMs']],
])('D-24: an exchange of %j ends once, as %j', (steps, result, phases) => {
  using exchange = startExchange();
  for (const step of steps) exchange.steps[step]();
  expect(exchange.results).toMatchObject([result]);
  expect(Object.keys(exchange.results[0]?.phases ?? {})).toEqual(phases);
  expect(exchange.timers()).toBe(0);
  // Whatever the connection still says changes nothing.
  for (const step of ['answered', 'ended', 'reset', 'late', 'cancelled'] as const) exchange.steps[step]();
  expect(exchange.results).toHaveLength(1);
  expect(Object.keys(exchange.results[0]?.phases ?? {})).toEqual(phases);
});

test('D-24: an answer is settled as soon as it was read to its cap', () => {
  using exchange = startExchange();
  for (const step of ['connected', 'sent', 'answered'] as const) exchange.steps[step]();
  exchange.steps.read(16 * 1024 - 1);
  expect([exchange.results, exchange.aborts]).toEqual([[], []]);
  exchange.steps.read(1);
  expect(exchange.results).toMatchObject([{ ...ANSWERED, excerpt: 'x'.repeat(1024) }]);
  expect(exchange.aborts).toEqual(['read far enough']);
});

test('HOOK-8: the deadline of an exchange ends its connection too, and not a moment early', () => {
  using exchange = startExchange();
  exchange.steps.connected();
  exchange.advance(DEADLINE_MS - 1);
  expect([exchange.results, exchange.aborts]).toEqual([[], []]);
  exchange.advance(1);
  expect(exchange.aborts).toEqual(['the request was not read within 0.3 s']);
});

test('HOOK-8: a connection that comes after the deadline is let go', () => {
  using exchange = startExchange();
  exchange.steps.late();
  expect(exchange.aborts).toEqual([]);
  exchange.steps.connected();
  expect(exchange.aborts).toEqual(['settled']);
});

test('NODE-3: a connection that comes when the request may not leave any more is let go, and the attempt cancelled', () => {
  using exchange = startExchange({ mayLeave: () => false });
  exchange.steps.connected();
  expect(exchange.results).toMatchObject([{ kind: 'failed', failure: 'cancelled' }]);
  expect(exchange.aborts).toEqual(['cancelled']);
});

test('D-24: an answer that ends has what was read of it, and no header that it did not send', () => {
  using exchange = startExchange();
  for (const step of ['connected', 'sent', 'accepted'] as const) exchange.steps[step]();
  for (const bytes of [1_000, 100, 100]) exchange.steps.read(bytes);
  expect(exchange.results).toEqual([]);
  exchange.steps.ended();
  const phases = { connectMs: 0, sendMs: 0, waitMs: 0, readMs: 0 };
  expect(exchange.results).toStrictEqual([{ kind: 'answered', status: 200, excerpt: 'x'.repeat(1_024), phases }]);
  expect(exchange.aborts).toEqual([]);
});

test('D-31: each phase has its own time', () => {
  using exchange = startExchange();
  for (const [index, step] of (['connected', 'sent', 'accepted', 'ended'] as const).entries()) {
    exchange.advance(10 + index);
    exchange.steps[step]();
  }
  expect(exchange.results[0]?.phases).toEqual({ connectMs: 10, sendMs: 11, waitMs: 12, readMs: 13 });
});

test('D-24: thirty-two interim answers are waited through, and one more ends the attempt', () => {
  using exchange = startExchange();
  for (const step of ['connected', 'sent'] as const) exchange.steps[step]();
  for (let count = 0; count < 32; count += 1) exchange.steps.interim(199);
  expect(exchange.results).toEqual([]);
  exchange.steps.interim();
  const detail = 'more than 32 interim answers (1xx)';
  expect(exchange.results).toMatchObject([{ kind: 'failed', failure: 'protocol_error', detail }]);
  expect(exchange.aborts).toEqual([detail]);
});

test('D-24: an answer that goes on at the deadline counts, and its connection ends', () => {
  using exchange = startExchange();
  for (const step of ['connected', 'sent', 'accepted', 'late'] as const) exchange.steps[step]();
  expect(exchange.results).toMatchObject([{ kind: 'answered', status: 200 }]);
  expect(exchange.aborts).toEqual(['deadline']);
});

test('D-21: what the network breaks has failed', () => {
  using exchange = startExchange();
  for (const step of ['connected', 'reset'] as const) exchange.steps[step]();
  expect(exchange.results).toMatchObject([{ kind: 'failed', failure: 'reset' }]);
});

/** An error as Node and undici make them. */
function coded(code: string | number, message = 'words', cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

test.each<readonly [failure: string, detail: string, error: Error]>([
  ['protocol_error', 'words', new Error('words')],
  ['protocol_error', 'HPE_INVALID_CONSTANT: words', coded('HPE_INVALID_CONSTANT')],
  ['dns_error', 'EAI_AGAIN: words', coded('EAI_AGAIN')],
  ['tls_other', 'ERR_TLS_CERT_ALTNAME_INVALID: words', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['reset', 'UND_ERR_SOCKET: other side closed', coded('UND_ERR_SOCKET', 'other side closed')],
  ['protocol_error', 'UND_ERR_SOCKET: bad response', coded('UND_ERR_SOCKET', 'bad response')],
  ['protocol_error', 'UND_ERR_SOCKET: bad upgrade', coded('UND_ERR_SOCKET', 'bad upgrade')],
  // What has no code of its own has that of its cause, or of the first address.
  ['reset', 'EPIPE: words', coded(7, 'words', coded('EPIPE'))],
  ['reset', 'ECONNRESET: words', new Error('words', { cause: coded('ECONNRESET') })],
  ['connect_refused', 'ECONNREFUSED: all', new AggregateError([new Error('one'), coded('ECONNREFUSED')], 'all')],
])('D-21: an error of the network is told as %s: "%s"', (failure, detail, error) => {
  expect(failureOf(error)).toEqual({ failure, detail });
});
