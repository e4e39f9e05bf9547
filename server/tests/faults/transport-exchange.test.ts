import { expect, test, vi } from 'vitest';
import { Exchange } from '../../delivery/exchange.ts';
import { failureOf } from '../../delivery/failure.ts';
import type { PostResult } from '../../ports/transport.ts';

const DEADLINE_MS = 300;

/** An exchange whose connection and time the test moves by hand. */
function startExchange() {
  vi.useFakeTimers();
  const [results, aborts]: [PostResult[], string[]] = [[], []];
  const request = { url: 'https://a.test/', headers: {}, body: Buffer.from('{}'), deadlineMs: DEADLINE_MS };
  const exchange = new Exchange(request, (result) => results.push(result));
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
    interim: () => exchange.onResponseStart(connection, 103, {}),
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
