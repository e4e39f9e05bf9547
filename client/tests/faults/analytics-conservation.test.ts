import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bench } from '../support/analytics-bench.ts';
import type { Step } from '../support/analytics-fake-server.ts';

const step = fc.constantFrom<Step[]>(
  200,
  200,
  200,
  301,
  400,
  413,
  429,
  500,
  503,
  'reset',
  'reset lost',
  'stall',
  'stall deaf',
  'stalled body',
  { status: 429, retryAfter: '2' },
  { status: 503, retryAfter: 'Fri, 20 Nov 2026 12:00:05 GMT' },
);

const action = fc.oneof(
  fc.record({ do: fc.constant('track' as const), times: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('bad' as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('wait' as const), times: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({ do: fc.constant('flush' as const), times: fc.integer({ min: 0, max: 2_000 }) }),
);

const options = fc.record({
  maxInFlight: fc.integer({ min: 1, max: 3 }),
  maxQueueSize: fc.integer({ min: 1, max: 100 }),
  uploadSize: fc.integer({ min: 1, max: 20 }),
  maxRetries: fc.integer({ min: 0, max: 12 }),
  maxRateLimitMs: fc.constantFrom(0, 5_000, 43_200_000),
});

type Options = typeof options extends fc.Arbitrary<infer Value> ? Value : never;
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

async function play(given: Options, plan: readonly Step[], actions: readonly Action[]) {
  const it = bench({ ...given, uploadInterval: 1 }, (n) => plan[n % plan.length] ?? 200);
  const taken: string[] = [];
  const settled: string[] = [];
  const flushes: Promise<unknown>[] = [];
  const track = (event: string): void => {
    const messageId = `m${taken.length}`;
    const result = it.analytics.track('u', event, {}, { messageId, onSettled: () => settled.push(messageId) });
    if (result.ok) taken.push(messageId);
  };
  for (const { do: what, times } of actions) {
    if (what === 'wait') await it.clock.advance(times);
    else if (what === 'flush') flushes.push(it.analytics.flush({ timeoutMs: times }));
    else for (let count = 0; count < times; count += 1) track(what === 'bad' ? '' : 'e');
    const { delivered, failed, queued, inFlight } = it.analytics.statistics;
    expect(delivered + failed + queued + inFlight).toBe(taken.length);
    expect(queued + inFlight).toBeLessThanOrEqual(given.maxQueueSize);
  }
  await it.clock.until(Promise.all([...flushes, it.analytics.close({ timeoutMs: 60_000 })]));
  return { ...it, taken, settled };
}

test('at any moment what was taken is delivered, failed, queued or in flight', async () => {
  const plans = fc.array(step, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(options, plans, fc.array(action, { maxLength: 20 }), async (given, plan, actions) => {
      const { analytics, clock, server, taken, settled } = await play(given, plan, actions);
      const { delivered, failed, queued, inFlight, heldBytes } = analytics.statistics;
      expect([queued, inFlight, heldBytes, clock.pending]).toEqual([0, 0, 0, 0]);
      expect(delivered + failed).toBe(taken.length);
      // Each message had one end, and no request was larger or more parallel than it may be.
      expect(settled.toSorted()).toEqual(taken.toSorted());
      // A deaf request stays open at the server after the client has given it up.
      expect(plan.includes('stall deaf') || server.mostOpen <= given.maxInFlight).toBe(true);
      for (const request of server.requests) expect(request.messages.length).toBeLessThanOrEqual(given.uploadSize);
      const arrived = [...new Set(server.acceptedIds)];
      expect(arrived.length).toBeGreaterThanOrEqual(delivered);
      const byCall = taken.filter((id) => arrived.includes(id));
      // With one request at a time the order of the calls is that of their arrival, but for what was refused five times.
      expect(given.maxInFlight > 1 || given.maxRetries > 4 || arrived.join() === byCall.join()).toBe(true);
      expect(byCall).toHaveLength(arrived.length);
    }),
    { numRuns: 150, seed: 20_261_120 },
  );
});
