import { describe, expect, test } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import { bench, MemoryLog } from '../support/analytics-bench.ts';
import type { Step } from '../support/analytics-fake-server.ts';
import { type Reaction, receivingServer } from '../support/analytics-receiving-server.ts';

const EVENTS = 100_000;
const SEED = 20_261_120;

/** A repeatable sequence of numbers in [0, 1): mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Four in ten requests fail, in every way that there is; `lost` answers are told apart from the others. */
function faultyPlan(withLost: boolean): (request: number) => Step {
  const random = seeded(SEED);
  const faults: Step[] = [
    { status: 429, retryAfter: '3' },
    { status: 429 },
    { status: 503, retryAfter: 'Fri, 20 Nov 2026 12:00:00 GMT' },
    503,
    'reset',
    'stall',
    'stall deaf',
    ...(withLost ? (['reset lost'] as const) : []),
  ];
  return () => (random() < 0.4 ? (faults[Math.floor(random() * faults.length)] ?? 503) : 200);
}

async function trackAll(plan: (request: number) => Step, maxInFlight = 1) {
  const it = bench({ maxQueueSize: 20_000, maxInFlight, maxRetries: 50, random: seeded(SEED + 1) }, plan);
  const ids: string[] = [];
  while (ids.length < EVENTS) {
    for (let count = 0; count < 10_000; count += 1) {
      const result = it.analytics.track('u', 'e', { index: ids.length }, { messageId: `m${ids.length}` });
      if (result.ok) ids.push(result.messageId);
    }
    await it.clock.until(it.analytics.flush());
  }
  return { ...it, ids };
}

describe('10^5 events against a server that fails four times in ten', () => {
  test('none is lost or doubled, and all arrive in order', async () => {
    const { analytics, server, ids, clock } = await trackAll(faultyPlan(false));
    expect(server.acceptedIds).toEqual(ids);
    expect(server.requests.length).toBeGreaterThan(1_500);
    expect(analytics.statistics).toMatchObject({ delivered: EVENTS, failed: 0, refused: 0, queued: 0, inFlight: 0 });
    expect(clock.pending).toBe(0);
  });

  test('answers that are lost repeat whole batches under the same ids', async () => {
    const { server, ids } = await trackAll(faultyPlan(true));
    expect(server.accepted.length).toBeGreaterThan(EVENTS);
    // In the order of their first arrival, which is all that a server that knows ids keeps.
    expect([...new Set(server.acceptedIds)]).toEqual(ids);
  });

  test('four requests at a time lose and double none either', async () => {
    const { server, ids } = await trackAll(faultyPlan(false), 4);
    expect(server.accepted).toHaveLength(EVENTS);
    expect(new Set(server.acceptedIds)).toEqual(new Set(ids));
  });

  test('a client without retries does lose events on this schedule', async () => {
    const it = bench({ maxQueueSize: 20_000, maxRetries: 0 }, faultyPlan(false));
    for (let count = 0; count < 10_000; count += 1) it.analytics.track('u', 'e');
    expect(await it.clock.until(it.analytics.flush())).not.toMatchObject({ failed: 0 });
  });
});

/** Fewer than above, in as many requests: sockets cost a busy machine more than time that stands still. */
const OVER_SOCKETS = 10_000;
const REQUEST_TIMEOUT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 110_000;

test('10^4 events over real sockets: none is lost, none is doubled by its id', async () => {
  const random = seeded(SEED);
  const faults: Reaction[] = ['reset', 'lost', 'stall', { status: 503 }, { status: 429 }, { status: 500 }];
  const plan = (): Reaction => (random() < 0.1 ? (faults[Math.floor(random() * faults.length)] ?? 'reset') : 'accept');
  await using server = await receivingServer(plan);
  const analytics = new Analytics('key', {
    host: server.url,
    maxQueueSize: OVER_SOCKETS,
    uploadSize: 50,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    maxRetries: 50,
    // The library's own waits would take minutes here; they are proven in virtual time.
    clock: hurried(20),
    logger: new MemoryLog(),
  });
  const ids: (string | undefined)[] = [];
  for (let index = 0; index < OVER_SOCKETS; index += 1) {
    const result = analytics.track('u', 'e', { index });
    ids.push(result.ok ? result.messageId : undefined);
  }
  const report = await analytics.close({ timeoutMs: CLOSE_TIMEOUT_MS });
  expect(report).toEqual({ timedOut: false, delivered: OVER_SOCKETS, unsent: [] });
  expect([...new Set(server.accepted.map((message) => message.messageId))]).toEqual(ids);
  expect(server.requests).toBeGreaterThan(200);
});

/** The real time, in which waits for a retry are shorter, and those of a request and of close are not. */
function hurried(times: number) {
  return {
    now: () => Date.now(),
    after: (ms: number, run: () => void) => {
      const isRetryWait = ms !== REQUEST_TIMEOUT_MS && ms !== CLOSE_TIMEOUT_MS;
      const timer = setTimeout(run, isRetryWait ? ms / times : ms);
      return () => clearTimeout(timer);
    },
  };
}
