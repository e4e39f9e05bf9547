import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import { flushOnHide } from '../../analytics/browser/index.ts';
import type { FetchInit } from '../../analytics/fetch.ts';
import { outlivePage } from '../../analytics/page.ts';
import { bench } from '../support/analytics-bench.ts';

afterEach(() => vi.unstubAllGlobals());

/** A document as a page has it, of which a test says whether it is seen. */
class FakeDocument extends EventTarget {
  visibilityState = 'visible';
  readonly defaultView = new EventTarget();

  show(state: 'visible' | 'hidden'): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

function stubPage(): FakeDocument {
  const page = new FakeDocument();
  vi.stubGlobal('document', page);
  return page;
}

/** A client, and the requests that it made. */
function recorded(options: object = {}) {
  const requests: FetchInit[] = [];
  const fetch = async (_url: string, init: FetchInit) => {
    requests.push(init);
    return new Response('{"success":true}');
  };
  return { requests, analytics: new Analytics('key', { fetch, uploadInterval: 3600, ...options }) };
}

/** A browser that keeps 64 KiB of requests beyond their page, and fails what goes beyond. */
function keepingAlive() {
  let kept = 0;
  let saved = 0;
  const fetch = (_url: string, { body, keepalive }: FetchInit): Promise<never> => {
    const messages = String(body).split('"messageId"').length - 1;
    if (keepalive !== true) return new Promise(() => {});
    if (kept + body.length > 65_536) return Promise.reject(new TypeError('Failed to fetch'));
    kept += body.length;
    saved += messages;
    return new Promise(() => {});
  };
  return { fetch, saved: () => saved };
}

const messagesIn = ({ body }: FetchInit): unknown =>
  JSON.parse(typeof body === 'string' ? body : gunzipSync(body).toString('utf8'));

describe('in a page', () => {
  test('a request may outlive it, and elsewhere that is not asked for', async () => {
    const { requests, analytics } = recorded();
    analytics.track('u', 'elsewhere');
    await analytics.flush();
    stubPage();
    analytics.track('u', 'in a page');
    await analytics.flush();
    expect(requests.map((request) => 'keepalive' in request && request.keepalive)).toEqual([false, true]);
  });

  test.each([
    [61_000, false],
    [30_000, true],
  ])('one of %i bytes may outlive it: %s', async (size, expected) => {
    stubPage();
    const { requests, analytics } = recorded();
    const half = 'a'.repeat(size / 2 - 500);
    analytics.track('u', 'e', { half });
    analytics.track('u', 'e', { half });
    await analytics.close();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.keepalive === true).toBe(expected);
  });

  test('60 000 bytes of all requests under way, of all clients, may outlive it, and no more', async () => {
    stubPage();
    const releases = [60_001, 40_000, 20_001, 20_000, 1].map((bytes) => outlivePage(bytes));
    expect(releases.map((release) => release !== undefined)).toEqual([false, true, false, true, false]);
    for (const release of releases) release?.();
    const clients = [recorded(), recorded()];
    for (const { analytics } of clients) analytics.track('u', 'e', { half: 'a'.repeat(31_000) });
    await Promise.all(clients.map(({ analytics }) => analytics.close()));
    expect(clients.map(({ requests }) => requests[0]?.keepalive)).toEqual([true, undefined]);
  });

  test.each([undefined, null, 'page', {}])('a document that is %j is no page', (found) => {
    vi.stubGlobal('document', found);
    expect(outlivePage(1)).toBeUndefined();
  });

  test('where nothing compresses, what is to be compressed is sent as it is', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const { requests, analytics } = recorded({ gzip: true });
    analytics.track('u', 'plain');
    await analytics.flush();
    expect(requests.map(messagesIn)).toMatchObject([{ batch: [{ event: 'plain' }] }]);
    expect(requests[0]?.headers).not.toHaveProperty('content-encoding');
  });

  test('what is sent while it is hidden is not compressed, so that it leaves at once', async () => {
    const page = stubPage();
    const { requests, analytics } = recorded({ gzip: true });
    for (const state of ['visible', 'hidden'] as const) {
      page.show(state);
      analytics.track('u', state);
      await analytics.flush();
    }
    expect(requests.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined]);
    expect(requests.map(messagesIn)).toMatchObject([
      { batch: [{ event: 'visible' }] },
      { batch: [{ event: 'hidden' }] },
    ]);
  });
});

describe('without a network', () => {
  test('days cost no retries, and what is held goes out once it is back', async () => {
    const machine = { onLine: false };
    vi.stubGlobal('navigator', machine);
    const { analytics, clock, server } = bench({ maxRateLimitMs: 0 }, () => (machine.onLine ? 200 : 'reset'));
    analytics.track('u', 'e');
    await clock.advance(30 * 3_600_000);
    expect(analytics.statistics).toMatchObject({ inFlight: 1, failed: 0 });
    machine.onLine = true;
    await clock.advance(10_000);
    expect(server.accepted).toHaveLength(1);
  });

  test('a day of it counts against no limit of waits that the server asks for', async () => {
    const machine = { onLine: false };
    vi.stubGlobal('navigator', machine);
    let isLimited = true;
    const { analytics, clock, server } = bench({}, () => {
      if (!machine.onLine) return 'reset';
      return isLimited ? { status: 429, retryAfter: '1' } : 200;
    });
    analytics.track('u', 'e');
    await clock.advance(86_400_000);
    machine.onLine = true;
    await clock.advance(15_000);
    isLimited = false;
    await clock.advance(1_000);
    expect([server.accepted.length, analytics.statistics.failed]).toEqual([1, 0]);
  });

  test.each([undefined, {}, { onLine: true }])('a navigator that is %j says nothing of it', async (navigator) => {
    vi.stubGlobal('navigator', navigator);
    const { analytics, clock } = bench({}, () => 'reset');
    analytics.track('u', 'e');
    expect(await clock.until(analytics.flush())).toMatchObject({ failed: 1 });
  });
});

describe('flushOnHide', () => {
  test('begins the request in the turn in which the page is hidden', async () => {
    const page = stubPage();
    const { requests, analytics } = recorded();
    flushOnHide(analytics);
    analytics.track('u', 'e');
    page.show('hidden');
    // Microtasks alone: they are run before the page goes.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(requests).toHaveLength(1);
    await analytics.close();
  });

  test('all leaves in that turn, whatever is under way, and nothing leaves twice', async () => {
    const page = stubPage();
    const bodies: string[] = [];
    const fetch = (_url: string, { body }: FetchInit) => {
      bodies.push(String(body));
      return new Promise<never>(() => {});
    };
    const { analytics } = recorded({ fetch, uploadSize: 2 });
    flushOnHide(analytics);
    analytics.track('u', 'under way');
    void analytics.flush();
    for (const event of ['a', 'b', 'c']) analytics.track('u', event);
    page.show('hidden');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(bodies.map((body) => body.match(/(?<="event":")[^"]*/g))).toEqual([['under way'], ['a', 'b'], ['c']]);
    analytics.track('u', 'later');
    await analytics.close({ timeoutMs: 1 });
    expect(bodies).toHaveLength(4);
  });

  test.each([
    [1, 100, 700, 500],
    [1, 250, 700, 500],
    [1, 60, 1_500, 500],
    [3, 100, 700, 500],
    [1, 250, 200, 100],
  ])(
    'with %i requests at a time, of %i messages with %i bytes what fits outlives the page, %i a request',
    async (maxInFlight, count, size, uploadSize) => {
      const page = stubPage();
      const { saved, fetch } = keepingAlive();
      const { analytics } = recorded({ fetch, maxInFlight, uploadSize });
      flushOnHide(analytics);
      for (let n = 0; n < count; n += 1) analytics.track('u', 'e', { pad: 'x'.repeat(size) });
      page.show('hidden');
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      const { heldBytes } = analytics.statistics;
      const fits = Math.floor(60_000 / (heldBytes / count + 1));
      // Of each request some bytes, and less than a message, remain unused.
      expect(saved()).toBeGreaterThanOrEqual(fits - maxInFlight);
      await analytics.close({ timeoutMs: 1 });
    },
  );

  test('what cannot outlive the page keeps its turn, and arrives where the page lives on', async () => {
    const page = stubPage();
    const { analytics, clock, server } = bench({ uploadSize: 500 }, (request) => (request < 2 ? 'stall' : 200));
    flushOnHide(analytics);
    for (let n = 0; n < 200; n += 1) analytics.track('u', 'e', { pad: 'x'.repeat(2_000) });
    page.show('hidden');
    page.show('hidden');
    await clock.advance(0);
    expect(server.open).toBeLessThan(5);
    await clock.until(analytics.flush());
    expect(analytics.statistics).toMatchObject({ delivered: 200, failed: 0 });
    expect(server.requests.filter(({ text }) => text.length > 60_000)).toEqual([]);
  });

  test('elsewhere than in a page it does nothing', () => {
    const leave = flushOnHide(recorded().analytics);
    expect(leave).not.toThrow();
  });

  test.each([
    ['freeze', (page: FakeDocument) => page],
    ['pagehide', (page: FakeDocument) => page.defaultView],
  ])('what a hidden page called leaves at its %s', async (type, targetOf) => {
    const page = stubPage();
    const { requests, analytics } = recorded();
    const leave = flushOnHide(analytics);
    const tell = async (): Promise<void> => {
      targetOf(page).dispatchEvent(new Event(type));
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    };
    analytics.track('u', 'seen');
    await tell();
    expect(requests).toHaveLength(0);
    page.show('hidden');
    analytics.track('u', 'hidden');
    await tell();
    expect(requests.map(messagesIn)).toMatchObject([{ batch: [{ event: 'seen' }] }, { batch: [{ event: 'hidden' }] }]);
    leave();
    analytics.track('u', 'later');
    await tell();
    expect(requests).toHaveLength(2);
    await analytics.close();
  });

  test('does nothing when the page is shown, nor once it was taken off', async () => {
    const page = stubPage();
    const { requests, analytics } = recorded();
    const leave = flushOnHide(analytics);
    analytics.track('u', 'e');
    page.show('visible');
    leave();
    page.show('hidden');
    expect(analytics.statistics).toMatchObject({ queued: 1, requests: 0 });
    await analytics.close();
    expect(requests).toHaveLength(1);
  });
});
