import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { attempt } from '../../analytics/attempt.ts';
import type { Fetch } from '../../analytics/fetch.ts';
import type { Outcome } from '../../analytics/outcome.ts';
import { Reporter } from '../../analytics/reporter.ts';
import { request } from '../../analytics/request.ts';
import { settingsOf } from '../../analytics/settings.ts';
import { bench } from '../support/analytics-bench.ts';
import { FakeServer, type Step } from '../support/analytics-fake-server.ts';
import { VirtualClock } from '../support/analytics-virtual-clock.ts';

const INIT = { method: 'POST', headers: {}, body: '{"batch":[],"sentAt":""}', redirect: 'manual' } as const;

/** One request: how it ended, and what is left of it. */
async function attempted(fetch: Fetch): Promise<{ outcome: Outcome; timers: number; listeners: number }> {
  const clock = new VirtualClock();
  const { signal: stop } = new AbortController();
  const outcome = await clock.until(attempt(INIT, settingsOf('key', { clock, fetch, requestTimeoutMs: 1_000 }), stop));
  return { outcome, timers: clock.pending, listeners: getEventListeners(stop, 'abort').length };
}

test('a request that took too long, or was stopped, is ended where it runs', async () => {
  const signals: AbortSignal[] = [];
  const fetch: Fetch = (_url, { signal }) => {
    signals.push(signal);
    return new Promise<never>(() => {});
  };
  await attempted(fetch);
  const stop = new AbortController();
  const outcome = attempt(INIT, settingsOf('key', { clock: new VirtualClock(), fetch }), stop.signal);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  stop.abort();
  expect((await outcome).status).toBeUndefined();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

/** Answers, and breaks off within the body. */
const breaking: Fetch = async () => ({
  status: 202,
  headers: new Headers(),
  text: () => Promise.reject(new Error('broken')),
});

const answering = (step: Step): Fetch => new FakeServer(() => 0, [step]).fetch;

test.each<Step>([200, 'reset', 'stall', 'stalled body'])(
  'a request that ended by %j leaves no timer, and no listener at what outlives it',
  async (step) => {
    expect(await attempted(answering(step))).toMatchObject({ timers: 0, listeners: 0 });
  },
);

test('the status is what counts, also when the body breaks after it', async () => {
  const { outcome } = await attempted(breaking);
  expect(outcome).toEqual({ status: 202, retryAfter: null, cause: 'status 202' });
});

test('of a long answer its beginning is kept', async () => {
  const { outcome } = await attempted(answering({ status: 400, body: `${'a'.repeat(200)}b` }));
  expect(outcome).toMatchObject({ cause: `status 400: ${'a'.repeat(200)}` });
});

test.each([
  ['<!DOCTYPE html><title>Log in to this network</title>', 0],
  ['\n  <html>', 0],
  ['ok', 200],
  ['', 200],
])('LIB-7: a page is no answer of a server that takes events, whatever its status: %j', async (body, status) => {
  const { outcome } = await attempted(answering({ status: 200, body }));
  expect(outcome.status).toBe(status);
  expect(outcome.cause).toBe(`status 200${body && `: ${body}`}`);
});

/** A body of as many kilobytes; how many of them were asked for, and whether the rest was cancelled. */
function counted(kilobytes: number) {
  const counts = { asked: 0, cancelled: 0 };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      counts.asked += 1;
      controller.enqueue(new TextEncoder().encode('a'.repeat(1_024)));
      if (counts.asked === kilobytes) controller.close();
    },
    cancel() {
      counts.cancelled += 1;
    },
  });
  return { body, counts };
}

test.each([
  ['is read to its end, which leaves its connection to the next', 3, { asked: 3, cancelled: 0 }],
  [
    'is cancelled after a few kilobytes',
    Infinity,
    { asked: expect.toSatisfy((asked: number) => asked < 16), cancelled: 1 },
  ],
])('an answer %s: %d KB', async (_, kilobytes, wanted) => {
  const { body, counts } = counted(kilobytes);
  const { outcome, timers } = await attempted(async () => new Response(body, { status: 503 }));
  expect(outcome).toMatchObject({ status: 503, cause: `status 503: ${'a'.repeat(200)}` });
  expect({ timers, counts }).toEqual({ timers: 0, counts: wanted });
});

function refusedTwice(): AggregateError {
  const errors = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:8080`));
  return Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' });
}

test.each<[Error | string, string]>([
  [new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }), 'fetch failed: read ECONNRESET'],
  [new TypeError('fetch failed', { cause: 'unknown' }), 'fetch failed'],
  // As Node says it of `localhost`, which has two addresses.
  [new TypeError('fetch failed', { cause: refusedTwice() }), 'fetch failed: ECONNREFUSED'],
  ['no error', 'no error'],
])('a fetch that rejects with %s is no answer, and why is said', async (error, cause) => {
  expect((await attempted(() => Promise.reject(error))).outcome).toEqual({ cause });
});

test.each([true, false])('what is given up before its request has begun makes none, compressed: %s', async (gzip) => {
  const clock = new VirtualClock();
  const server = new FakeServer(() => clock.now());
  const settings = settingsOf('key', { clock, gzip, fetch: server.fetch });
  const reporter = new Reporter(settings);
  const stop = new AbortController();
  if (!gzip) stop.abort();
  const outcome = request([], 1, settings, reporter, stop.signal);
  // Compressing has begun, and takes turns.
  stop.abort();
  expect(await outcome).toBeUndefined();
  expect([server.requests, reporter.counters.requests, clock.pending]).toEqual([[], 0, 0]);
});

test('listeners are told of each answer and of no other end', async () => {
  const { analytics, clock } = bench({}, ['reset', 'stall', 503, 200]);
  const [causes, statuses]: [string[], number[]] = [[], []];
  analytics.on('retry', ({ cause }) => causes.push(cause));
  analytics.on('response', ({ status }) => statuses.push(status));
  analytics.track('u', 'e');
  await clock.until(analytics.flush());
  expect(causes).toEqual(['fetch failed: read ECONNRESET', 'no answer within 15000 ms', 'status 503']);
  expect(statuses).toEqual([503, 200]);
});

test.each([
  [new Error('no entropy'), 'sending threw Error: no entropy'],
  [Object.create(null), 'sending threw an object'],
])('a clock or a random that throws costs the batch, is said, and holds nothing up', async (thrown, said) => {
  const random = (): never => {
    throw thrown;
  };
  const { analytics, clock, server } = bench({ random }, [503, 200]);
  const failed: unknown[] = [];
  analytics.on('failed', ({ error: { reason, message, attempts, status } }) =>
    failed.push({ reason, message, attempts, status }),
  );
  analytics.track('u', 'lost');
  expect(await clock.until(analytics.flush())).toMatchObject({ failed: 1, pending: 0 });
  expect(failed).toEqual([{ reason: 'abandoned', message: said, attempts: 0, status: undefined }]);
  analytics.track('u', 'kept');
  expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
  expect(server.accepted.map(({ event }) => event)).toEqual(['kept']);
});
