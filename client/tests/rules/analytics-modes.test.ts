import { afterEach, describe, expect, test } from 'vitest';
import type { AnalyticsError } from '../../analytics/error.ts';
import * as module from '../../analytics/index.ts';
import type { Message } from '../../analytics/wire.ts';
import { bench, MemoryLog } from '../support/analytics-bench.ts';
import { FakeServer } from '../support/analytics-fake-server.ts';
import { settle, VirtualClock } from '../support/analytics-virtual-clock.ts';

describe('onError', () => {
  test('LIB-7: it gets the error and the messages, and the program goes on', async () => {
    const calls: [AnalyticsError, readonly Message[]][] = [];
    const { analytics, clock, server } = bench({ onError: (error, items) => calls.push([error, items]) }, [
      { status: 400, body: '{"message":"malformed"}' },
    ]);
    analytics.track('u', 'lost', { a: 1 });
    await clock.until(analytics.flush());
    analytics.track('u', 'kept');
    await clock.until(analytics.flush());
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0]).toMatchObject({ name: 'AnalyticsError', reason: 'rejected', status: 400, attempts: 1 });
    expect(calls[0]?.[0].message).toBe('status 400: {"message":"malformed"}');
    expect(calls[0]?.[1]).toEqual([expect.objectContaining({ event: 'lost', properties: { a: 1 } })]);
    expect(server.accepted).toEqual([expect.objectContaining({ event: 'kept' })]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('mine');
      },
    ],
  ])('LIB-7: one that %s stops nothing', async (_, onError) => {
    const { analytics, clock, server, log } = bench({ onError }, [400]);
    analytics.track('u', 'lost');
    await clock.until(analytics.flush());
    analytics.track('u', 'kept');
    expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
    expect(server.accepted).toHaveLength(1);
    expect(log.lines).toContain('error [waybill] a callback or the store threw Error: mine');
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw Object.create(null);
      },
    ],
    ['rejects with', () => Promise.reject(Object.create(null))],
  ])('LIB-7: one that %s what has no text stops nothing', async (_, onError) => {
    const { analytics, clock, server, log } = bench({ onError }, [400]);
    analytics.track('u', 'lost', {}, { onSettled: onError });
    expect(await clock.until(analytics.flush())).toMatchObject({ failed: 1, pending: 0 });
    analytics.track('u', 'kept');
    expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
    expect(server.accepted).toHaveLength(1);
    const line = 'error [waybill] a callback or the store threw an object';
    expect(log.lines.filter((each) => each.startsWith('error'))).toEqual([line, line]);
  });

  test('LIB-7: it may call the client again', async () => {
    const it = bench({ onError: () => void it.analytics.track('u', 'again') }, [400]);
    it.analytics.track('u', 'lost');
    await it.clock.advance(10_000);
    expect(it.server.accepted.map((message) => message.event)).toEqual(['again']);
  });
});

describe('events', () => {
  test('they tell the story of a batch', async () => {
    const { analytics, clock } = bench({}, [503, 200]);
    const story: unknown[] = [];
    for (const name of ['request', 'response', 'retry', 'delivered', 'drained'] as const) {
      analytics.on(name, (detail) => story.push([name, detail]));
    }
    analytics.track('u', 'e', {}, { messageId: 'm' });
    await clock.until(analytics.flush());
    const request = { url: 'http://127.0.0.1:8080/v1/batch', messages: 1, bytes: expect.any(Number) };
    expect(story).toEqual([
      ['request', { ...request, attempt: 1 }],
      ['response', { status: 503, attempt: 1, durationMs: 0 }],
      ['retry', { attempt: 1, waitMs: 375, cause: 'status 503' }],
      ['request', { ...request, attempt: 2 }],
      ['response', { status: 200, attempt: 2, durationMs: 0 }],
      ['delivered', { messageIds: ['m'], attempts: 2 }],
      ['drained', {}],
    ]);
    expect(JSON.stringify(story)).not.toMatch(/authorization|Basic/i);
  });

  test('a listener can be taken off', async () => {
    const { analytics } = bench();
    let count = 0;
    const off = analytics.on('refused', () => (count += 1));
    analytics.track('u', '');
    off();
    analytics.track('u', '');
    expect(count).toBe(1);
  });

  test('each message can have a result of its own', async () => {
    const results: unknown[] = [];
    const { analytics, clock } = bench({ uploadSize: 1 }, [200, 400]);
    const onSettled = (result: unknown): unknown => results.push(result);
    analytics.track('u', 'e', {}, { messageId: 'a', onSettled });
    analytics.track('u', 'e', {}, { messageId: 'b', onSettled });
    await clock.until(analytics.flush());
    expect(results).toEqual([
      { ok: true, messageId: 'a' },
      { ok: false, reason: 'rejected', message: 'status 400' },
    ]);
  });
});

describe('syncMode', () => {
  test('LIB-12: each call makes its own request, and gives its result', async () => {
    const { analytics, clock, server } = bench({ syncMode: true }, [200, 503, 200, 401]);
    const results = await clock.until(
      Promise.all(['a', 'b', 'c'].map((event) => analytics.track('u', event, {}, { messageId: event }))),
    );
    expect(results).toEqual([
      { ok: true, messageId: 'a' },
      { ok: true, messageId: 'b' },
      { ok: false, reason: 'rejected', message: 'status 401' },
    ]);
    expect(server.requests.map((request) => request.messages.length)).toEqual([1, 1, 1, 1]);
    expect(clock.pending).toBe(0);
  });

  test('LIB-12: a call with a listener of its own tells both, and nothing is said of it', async () => {
    const { analytics, clock, log } = bench({ syncMode: true });
    const told: unknown[] = [];
    const onSettled = (result: unknown): unknown => told.push(result);
    const [own, plain] = await clock.until(
      Promise.all([
        analytics.track('u', 'e', {}, { messageId: 'own', onSettled }),
        analytics.track('u', 'e', {}, { messageId: 'plain' }),
      ]),
    );
    expect([told, plain]).toEqual([[own], { ok: true, messageId: 'plain' }]);
    expect(own).toEqual({ ok: true, messageId: 'own' });
    expect(log.lines).toEqual([]);
  });

  test('LIB-12: a refused call resolves too', async () => {
    const { analytics } = bench({ syncMode: true });
    expect(await analytics.track('u', '')).toMatchObject({ ok: false, reason: 'invalid_message' });
    expect(await bench({ syncMode: true, send: false }).analytics.track('u', 'e')).toMatchObject({ ok: true });
  });
});

test('the end of all messages is told once, and not of each batch', async () => {
  const { analytics, clock } = bench({ uploadSize: 1 });
  const story: string[] = [];
  analytics.on('delivered', () => story.push('delivered'));
  analytics.on('drained', () => story.push('drained'));
  for (let count = 0; count < 3; count += 1) analytics.track('u', 'e');
  await clock.until(analytics.flush());
  expect(story).toEqual(['delivered', 'delivered', 'delivered', 'drained']);
});

describe('the default client', () => {
  const clock = new VirtualClock();
  const server = new FakeServer(() => clock.now());

  afterEach(async () => {
    await clock.until(module.close());
    for (const name of Object.keys(module.settings)) Reflect.deleteProperty(module.settings, name);
    server.accepted.length = 0;
  });

  test('LIB-4: calls before the write key is set are a clear error', () => {
    expect(() => module.track('u', 'e')).toThrow('writeKey must be set: that of your source');
  });

  test('LIB-14: the six calls and flush work with its settings', async () => {
    Object.assign(module.settings, { writeKey: 'key', clock, fetch: server.fetch });
    void module.identify('u');
    void module.track('u', 'e');
    void module.page('u');
    void module.screen('u');
    void module.group('u', 'g');
    void module.alias('a', 'u');
    expect(await clock.until(module.flush())).toMatchObject({ delivered: 6 });
    const types = server.accepted.map((message) => message.type);
    expect(types).toEqual(['identify', 'track', 'page', 'screen', 'group', 'alias']);
  });

  test('LIB-14: debug, onError, send and syncMode are settings of it', async () => {
    module.settings.writeKey = 'key';
    module.settings.send = false;
    module.settings.debug = false;
    module.settings.syncMode = true;
    module.settings.onError = () => {};
    expect(await module.track('u', 'e')).toMatchObject({ ok: true });
    await module.close();
    module.settings.syncMode = false;
    expect(module.track('u', 'e')).toMatchObject({ ok: true });
  });

  test('LIB-14: onError and debug of the settings are those of the client', async () => {
    const refusing = new FakeServer(() => clock.now(), [400]);
    const [log, lost]: [MemoryLog, string[]] = [new MemoryLog(), []];
    const onError: typeof module.settings.onError = ({ reason }, items) => lost.push(`${reason} ${items[0]?.event}`);
    Object.assign(module.settings, {
      writeKey: 'key',
      clock,
      fetch: refusing.fetch,
      logger: log,
      debug: true,
      onError,
    });
    void module.track('u', 'lost');
    await clock.until(module.flush());
    expect(lost).toEqual(['rejected lost']);
    expect(log.lines).toContainEqual(expect.stringMatching(/^debug .*attempt 1: 1 messages/));
  });

  test('LIB-14: settings.debug may be changed at any time', async () => {
    const lines: string[] = [];
    const logger = { debug: (line: string) => void lines.push(line), warn: () => {}, error: () => {} };
    const accepting = new FakeServer(() => clock.now(), [200]);
    Object.assign(module.settings, { writeKey: 'key', syncMode: true, clock, logger, fetch: accepting.fetch });
    await module.track('u', 'e');
    expect(lines).toEqual([]);
    module.settings.debug = true;
    await module.track('u', 'e');
    expect(lines).toEqual([
      expect.stringContaining('attempt 1: 1 messages'),
      expect.stringContaining('1 messages delivered'),
    ]);
    module.settings.debug = false;
    await module.track('u', 'e');
    expect(lines).toHaveLength(2);
    await module.close();
  });

  test('LIB-14: a setting that is changed too late is an error, not ignored', async () => {
    Object.assign(module.settings, { writeKey: 'key', send: false });
    void module.track('u', 'e');
    module.settings.send = true;
    expect(() => module.track('u', 'e')).toThrow('settings.send was changed after the first call: close() first');
    await module.close();
    module.settings.send = false;
    expect(module.track('u', 'e')).toMatchObject({ ok: true });
  });

  test('LIB-14: clients have queues of their own', async () => {
    const [one, other] = [bench(), bench()];
    one.analytics.track('u', 'e');
    expect([one.analytics.statistics.queued, other.analytics.statistics.queued]).toEqual([1, 0]);
    await settle();
  });

  test('flush and close without a call before them resolve', async () => {
    expect(await module.flush()).toEqual({ timedOut: false, delivered: 0, failed: 0, pending: 0 });
    expect(await module.close()).toEqual({ timedOut: false, delivered: 0, unsent: [] });
  });
});
