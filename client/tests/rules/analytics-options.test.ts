import { describe, expect, test } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import { HOSTS } from '../../analytics/hosts.ts';
import { DEFAULTS } from '../../analytics/settings.ts';
import { bench, MemoryLog } from '../support/analytics-bench.ts';
import { settle } from '../support/analytics-virtual-clock.ts';

const make = (writeKey: unknown, options: object = {}): unknown => Reflect.construct(Analytics, [writeKey, options]);

/** The levels of the lines that a retry, a failure and a delivery are worth. */
async function levels(debug: boolean): Promise<Set<string | undefined>> {
  const { analytics, clock, log } = bench({ debug, maxRetries: 1 }, [500, 500, 200]);
  analytics.track('secret-user', 'e');
  await clock.until(analytics.flush());
  analytics.track('secret-user', 'e');
  await clock.until(analytics.flush());
  expect(log.lines.join()).not.toMatch(/secret-user|key/);
  return new Set(log.lines.map((line) => line.split(' ')[0]));
}

describe('the options', () => {
  test('LIB-5: the defaults are those of the seed', () => {
    expect(DEFAULTS).toMatchObject({
      debug: false,
      send: true,
      onError: undefined,
      maxQueueSize: 10_000,
      uploadInterval: 0.5,
      uploadSize: 100,
      gzip: false,
      syncMode: false,
      host: HOSTS.default,
    });
  });

  test.each([undefined, '', 5])('LIB-4: a write key of %j is refused when the client is made', (writeKey) => {
    expect(() => make(writeKey)).toThrow('writeKey must be set: that of your source');
  });

  test('LIB-4: a write key with foreign characters is refused, and not shown', () => {
    expect(() => make('secret key:1')).toThrow(/^writeKey holds a space/);
    expect(() => make('secret key:1')).not.toThrow(/secret/);
    expect(() => make(':secret')).toThrow(/leading colon/);
    expect(() => make('id:secret')).not.toThrow();
  });

  test.each([
    [{ uploadSize: 0 }, 'uploadSize must be a number from 1 to 2500, got: 0'],
    [{ uploadSize: 2501 }, 'uploadSize must be a number from 1 to 2500, got: 2501'],
    [{ uploadInterval: '1' }, 'uploadInterval must be a number'],
    [{ maxQueueSize: Number.NaN }, 'maxQueueSize must be a number from 1'],
    [{ gzip: 'yes' }, 'gzip must be a boolean, got: string'],
    [{ onError: 'log' }, 'onError must be a function, got: string'],
    [{ store: 'disk' }, 'store must be a object, got: string'],
    [{ logger: console.log }, 'logger must be a object, got: function'],
    [{ random: 0.5 }, 'random must be a function, got: number'],
    [{ host: 'router.local' }, 'host must be an http or https URL'],
    [{ host: 'ftp://router.local' }, 'host must be an http or https URL'],
    [{ host: 'https://me:secret@router.local' }, 'host must be an http or https URL'],
    [{ flushAt: 20 }, 'There is no option "flushAt"'],
  ])('a wrong option %j is named at once', (options, text) => {
    expect(() => make('key', options)).toThrow(text);
    expect(() => make('key', options)).not.toThrow(/secret/);
  });

  test.each([
    ['maxQueueSize', 1, undefined],
    ['uploadInterval', 0, 86_400],
    ['uploadSize', 1, 2_500],
    ['maxQueueBytes', 32_768, undefined],
    ['maxInFlight', 1, 1_000],
    ['maxRetries', 0, undefined],
    ['requestTimeoutMs', 1, 86_400_000],
    ['maxTotalBackoffMs', 0, undefined],
    ['maxRateLimitMs', 0, undefined],
    ['exitTimeoutMs', 0, 86_400_000],
  ])('%s may be from %d to %d, and no less or more', (name, least, most = Infinity) => {
    for (const value of [least, most]) expect(() => make('key', { [name]: value })).not.toThrow();
    const range = `${name} must be a number from ${least} to ${most}, got: `;
    for (const value of [least - 1, String(least), Number.NaN, ...(most === Infinity ? [] : [most + 1])]) {
      expect(() => make('key', { [name]: value })).toThrow(range + String(value));
    }
  });

  test.each(['?query=secret', '#secret', '?', '#'])('a host with %s is refused', (rest) => {
    expect(() => make('key', { host: `https://router.example/${rest}` })).toThrow(
      'host must be an http or https URL with no more than a path',
    );
  });

  test.each([
    5,
    new URL('https://router.example'),
    'https://:secret@router.example',
    'xhttps://router.example',
    'httpsx://router.example',
    'https:///me:secret@router.example',
    'https://\n/me:secret@router.example',
    'https:me:secret@router.example',
    'https://router.example:99999',
  ])('a host of %j is refused', (host) => {
    expect(() => make('key', { host })).toThrow('host must be an http or https URL');
  });

  test.each(['ä', 'keyä', 'key ', ' key', ':'])('LIB-4: a write key of %j is refused', (writeKey) => {
    expect(() => make(writeKey)).toThrow('leading colon or non-ASCII');
  });

  test.each(['!', '~', '9', ';', 'a', 'a:b'])('LIB-4: a write key of %j is taken', (writeKey) => {
    expect(() => make(writeKey)).not.toThrow();
  });

  test('ING-1: the write key is the user of the Basic authentication', async () => {
    const { analytics, clock, server } = bench();
    analytics.track('u', 'e');
    await clock.until(analytics.flush());
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `Basic ${btoa('key:')}` });
  });

  test('an option that is undefined has its default', async () => {
    const { analytics, clock, server } = bench({ uploadSize: undefined, host: undefined });
    for (let count = 0; count < 100; count += 1) analytics.track('u', 'e');
    await clock.advance(0);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['https://events.eu1.segmentapis.com/v1/batch', HOSTS.eu],
    ['http://router.internal:8080/v1/batch', 'http://router.internal:8080'],
    ['https://router.example/v1/batch', 'https://router.example/'],
    ['https://router.example/v1/batch', 'https://router.example/v1'],
    ['https://example.com/waybill/v1/batch', 'https://example.com/waybill'],
    ['https://example.com/waybill/v1/batch', 'https://example.com/waybill/v1//'],
    ['https://example.com/v1/waybill/v1/batch', 'https://example.com/v1/waybill'],
    ['https://example.com//waybill/v1/batch', 'https://example.com//waybill'],
  ])('LIB-13: %s is where a host is sent to', async (url, host) => {
    const { analytics, clock, server } = bench({ host });
    analytics.track('u', 'e');
    await clock.until(analytics.flush());
    expect(server.requests[0]?.url).toBe(url);
  });

  test('LIB-6: send false checks each call, and sends nothing', async () => {
    const { analytics, clock, server } = bench({ send: false });
    expect(analytics.track('u', 'e')).toMatchObject({ ok: true });
    expect(analytics.track('u', '')).toMatchObject({ ok: false });
    expect(await analytics.flush()).toEqual({ timedOut: false, delivered: 0, failed: 0, pending: 0 });
    await clock.advance(60_000);
    expect(server.requests).toHaveLength(0);
    expect(analytics.statistics).toMatchObject({ queued: 0, delivered: 0 });
  });

  test('LIB-15: warnings are logged, and debug lines only on demand', async () => {
    expect(await levels(false)).toEqual(new Set(['warn']));
    expect(await levels(true)).toEqual(new Set(['warn', 'debug']));
  });

  test('LIB-15: debug lines tell of each request, its retry and its end', async () => {
    const { analytics, clock, log } = bench({ debug: true, random: () => 0 }, [503, 200]);
    analytics.track('u', 'e', {}, { timestamp: new Date(0), messageId: 'm' });
    await clock.until(analytics.flush());
    expect(log.lines).toEqual([
      expect.stringMatching(/^debug \[waybill\] attempt 1: 1 messages in \d+ bytes$/),
      expect.stringMatching(/^debug \[waybill\] attempt 1 failed \(status 503.*\); the next in 250 ms$/),
      expect.stringMatching(/^debug \[waybill\] attempt 2: 1 messages in \d+ bytes$/),
      'debug [waybill] 1 messages delivered',
    ]);
  });

  test('LIB-15: the same warning is not repeated while the queue is full', () => {
    const { analytics, log } = bench({ maxQueueSize: 1 });
    for (let count = 0; count < 1000; count += 1) analytics.track('u', 'e');
    expect(log.lines).toEqual([expect.stringContaining('queue_full')]);
  });

  test('LIB-15: a hundred different warnings are told apart, and all again once nothing is held', async () => {
    const { analytics, clock, log } = bench();
    const warn = (): void => {
      for (let at = 0; at < 150; at += 1) analytics.track('u', 'e', { [`f${at}`]: Number.NaN });
    };
    warn();
    expect(log.lines).toHaveLength(100);
    await clock.until(analytics.flush());
    warn();
    expect(log.lines).toHaveLength(200);
    expect(log.lines.slice(100)).toEqual(log.lines.slice(0, 100));
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    // Nobody would handle it, and the process would end of it.
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('a logger that %s breaks no call', async (_, warn) => {
    const logger = new MemoryLog();
    Reflect.set(logger, 'warn', warn);
    const { analytics } = bench({ logger });
    expect(analytics.track('u', '')).toMatchObject({ reason: 'invalid_message' });
    await settle();
  });
});
