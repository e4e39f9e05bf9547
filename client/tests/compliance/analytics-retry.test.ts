import { describe, expect, test } from 'vitest';
import { backoffMs } from '../../analytics/backoff.ts';
import { retryAfterMs } from '../../analytics/retry-after.ts';
import { RETRIED } from '../../analytics/retry-decision.ts';
import { bench } from '../support/analytics-bench.ts';
import type { Step } from '../support/analytics-fake-server.ts';

/** Sends one message against the plan; says how it ended, and when each request came, in ms from the first. */
async function attempts(plan: readonly Step[] | ((n: number) => Step), options: object = {}) {
  const { analytics, clock, server } = bench(options, plan);
  const ends: unknown[] = [];
  analytics.on('failed', ({ error }) => ends.push(error.reason));
  analytics.on('delivered', () => ends.push('delivered'));
  analytics.track('u', 'e');
  await clock.until(analytics.flush());
  const start = server.requests[0]?.at ?? 0;
  const counts = server.requests.map((request) => request.headers['x-retry-count']);
  return { ends, at: server.requests.map((request) => request.at - start), counts };
}

describe('statuses', () => {
  test.each([200, 201, 202, 204, 299])('%i is delivered', async (status) => {
    expect(await attempts([status])).toMatchObject({ ends: ['delivered'], at: [0] });
  });

  test.each([408, 410, 429, 460, 500, 502, 503, 504, 508, 529, 599])('%i is retried', async (status) => {
    expect(await attempts([status, 200])).toMatchObject({ ends: ['delivered'], at: [0, 375] });
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 422, 501, 505, 511, 600, 100])('%i is final', async (status) => {
    expect(await attempts([status, 200])).toMatchObject({ ends: ['rejected'], at: [0] });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])('%i is an error, and is not followed', async (status) => {
    expect(await attempts([status, 200])).toMatchObject({ ends: ['redirected'], at: [0] });
  });

  test('a redirect that a browser hides is an error too', async () => {
    expect(await attempts([{ status: 0, type: 'opaqueredirect' }])).toMatchObject({ ends: ['redirected'] });
  });

  test('the retried statuses below 600 are these and no others', () => {
    const retried = Array.from({ length: 600 }, (_, status) => status).filter((status) => RETRIED.test(String(status)));
    const servers = Array.from({ length: 100 }, (_, n) => 500 + n).filter((n) => ![501, 505, 511].includes(n));
    expect(retried).toEqual([408, 410, 429, 460, ...servers]);
  });
});

describe('no answer', () => {
  test.each(['reset', 'reset lost'] as const)('a connection that is %s is retried', async (step) => {
    expect(await attempts([step, 200])).toMatchObject({ ends: ['delivered'], at: [0, 375] });
  });

  test.each(['stall', 'stall deaf'] as const)('a server that lets the request %s is given up in time', async (step) => {
    expect(await attempts([step, 200])).toMatchObject({ ends: ['delivered'], at: [0, 15_375] });
    expect(await attempts([step, 200], { requestTimeoutMs: 1000 })).toMatchObject({ at: [0, 1375] });
  });

  test('a body that stalls after its status changes nothing', async () => {
    expect(await attempts(['stalled body'])).toMatchObject({ ends: ['delivered'], at: [0] });
  });

  test('a fetch that throws at once is a failed attempt', async () => {
    const { analytics, clock } = bench({
      maxRetries: 0,
      fetch: () => {
        throw new TypeError('bad url');
      },
    });
    analytics.track('u', 'e');
    expect(await clock.until(analytics.flush())).toMatchObject({ failed: 1 });
  });
});

describe('waits', () => {
  test('they double from half a second to a minute, ten times', async () => {
    const { ends, at } = await attempts(() => 500);
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(waits).toEqual([375, 750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000]);
    expect(ends).toEqual(['retries_exhausted']);
  });

  test('jitter spreads them over the upper half', () => {
    expect([backoffMs(1, () => 0), backoffMs(1, () => 0.999_999)]).toEqual([250, 500]);
    expect([backoffMs(40, () => 0), backoffMs(40, () => 0.999_999)]).toEqual([30_000, 60_000]);
  });

  test('X-Retry-Count is absent first, then counts every request', async () => {
    const { counts } = await attempts([500, { status: 429, retryAfter: '1' }, 'reset', 200]);
    expect(counts).toEqual([undefined, '1', '2', '3']);
  });

  test.each([429, 503, 408])('Retry-After in seconds is kept on %i', async (status) => {
    expect(await attempts([{ status, retryAfter: '7' }, 200])).toMatchObject({ ends: ['delivered'], at: [0, 7000] });
  });

  test('Retry-After as a date is kept', async () => {
    const retryAfter = 'Fri, 20 Nov 2026 12:00:09 GMT';
    expect(await attempts([{ status: 429, retryAfter }, 200])).toMatchObject({ at: [0, 9000] });
  });

  test('Retry-After waits do not count as retries', async () => {
    const held: Step = { status: 429, retryAfter: '1' };
    const plan = [...Array.from({ length: 30 }, () => held), 200];
    expect(await attempts(plan, { maxRetries: 0 })).toMatchObject({ ends: ['delivered'] });
  });

  test.each([
    ['0', 0],
    ['120', 120_000],
    ['301', 300_000],
    ['99999999999999999999', 300_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 300_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Fri, soon', undefined],
    ['on Fri, 20 Nov 2026 12:00:30 GMT', undefined],
    [' 7 ', 7_000],
    ['', undefined],
    [null, undefined],
  ])('Retry-After %j asks for %s ms', (header, wanted) => {
    expect(retryAfterMs(header, Date.parse('2026-11-20T12:00:00Z'))).toBe(wanted);
  });

  test('a Retry-After of 0 makes no tight loop', async () => {
    expect(await attempts([{ status: 429, retryAfter: '0' }, 200])).toMatchObject({ at: [0, 1000] });
  });

  test('a Retry-After holds all requests of the client', async () => {
    const { analytics, clock, server } = bench({ uploadSize: 1, maxInFlight: 2 }, [
      { status: 429, retryAfter: '10' },
      500,
    ]);
    analytics.track('u', 'a');
    analytics.track('u', 'b');
    const start = clock.now();
    await clock.until(analytics.flush());
    expect(server.requests.map((request) => request.at - start)).toEqual([0, 0, 10_000, 10_000]);
  });

  test('of two Retry-After the one that ends later holds, whichever came first', async () => {
    for (const asked of [
      ['10', '2'],
      ['2', '10'],
    ]) {
      const { analytics, clock, server } = bench(
        { uploadSize: 1, maxInFlight: 2 },
        asked.map((retryAfter) => ({ status: 429, retryAfter })),
      );
      analytics.track('u', 'a');
      analytics.track('u', 'b');
      const start = clock.now();
      await clock.until(analytics.flush());
      expect(server.requests.map((request) => request.at - start)).toEqual([0, 0, 10_000, 10_000]);
    }
  });

  test('a request that waits for its retry holds up no other', async () => {
    const { analytics, clock, server } = bench({ uploadSize: 1, maxInFlight: 2 }, [500, 200]);
    for (const event of ['failed', 'other']) {
      analytics.track('u', event);
      await clock.advance(0);
    }
    expect(server.accepted.map(({ event }) => event)).toEqual(['other']);
  });

  test('all waits for retries have a limit together', async () => {
    const limits = { maxRetries: 1000, maxTotalBackoffMs: 10_000 };
    expect(await attempts(() => 500, limits)).toMatchObject({
      ends: ['time_exhausted'],
      at: [0, 375, 1125, 2625, 5625],
    });
    // A limit may be used up to its last millisecond.
    const [used, left] = [1125, 1124].map((maxTotalBackoffMs) => attempts(() => 500, { maxTotalBackoffMs }));
    expect(await used).toMatchObject({ at: [0, 375, 1125] });
    expect(await left).toMatchObject({ at: [0, 375] });
  });

  test('all waits that a server asks for have a limit together', async () => {
    const { ends, at } = await attempts(() => ({ status: 429, retryAfter: '300' }));
    expect(ends).toEqual(['time_exhausted']);
    expect(at.at(-1)).toBe(43_200_000);
  });
});

test('a batch that is retried keeps its items, and its place before later ones', async () => {
  const { analytics, clock, server } = bench({ uploadSize: 2 }, [503, 'reset', { status: 429, retryAfter: '2' }, 200]);
  for (const event of ['a', 'b', 'c', 'd', 'e']) analytics.track('u', event);
  await clock.until(analytics.flush());
  const batches = server.requests.map((request) => request.messages.map((message) => message.event).join(''));
  expect(batches).toEqual(['ab', 'ab', 'ab', 'ab', 'cd', 'e']);
});
