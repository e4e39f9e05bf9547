import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Store } from '../../analytics/store.ts';
import { bench } from '../support/analytics-bench.ts';
import type { Plan, Step } from '../support/analytics-fake-server.ts';

const HOUR_S = 3_600;
const kept: Store = { recover: () => [], add: () => {}, end: () => {}, close: () => {} };

/** A client with a store, of which the program tracks an event each second. */
function busy(plan: Plan) {
  const it = bench({ store: kept, uploadSize: 4 }, plan);
  const goOn = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      it.analytics.track('u', 'e');
      await it.clock.advance(1_000);
    }
  };
  return { ...it, goOn };
}

test.each(['reset', 'stall'] as const)(
  'LIB-2: a message to which there is never an answer, %j, lets others go first, and is given up alone',
  async (step) => {
    const { analytics, goOn } = busy((_, { messages }) => (messages.some(({ event }) => event === 'x') ? step : 200));
    const failed: unknown[] = [];
    analytics.on('failed', ({ messageIds, error }) => failed.push([messageIds, error.reason]));
    for (const event of ['a', 'b', 'x', 'd']) analytics.track('u', event, {}, { messageId: event });
    await goOn(HOUR_S / 3);
    expect(analytics.statistics.delivered).toBeGreaterThan(1_000);
    await goOn(HOUR_S);
    expect(failed).toEqual([[['x'], 'retries_exhausted']]);
    expect(analytics.statistics).toMatchObject({ delivered: (4 / 3) * HOUR_S + 3, inFlight: 0 });
  },
);

test('LIB-2: in a network that loses most requests nothing is given up', async () => {
  let seed = 1;
  const { analytics, clock, goOn } = busy(() => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % 10 < 7 ? 'reset' : 200;
  });
  await goOn(2 * HOUR_S);
  await clock.until(analytics.flush());
  expect(analytics.statistics).toMatchObject({ delivered: 2 * HOUR_S, failed: 0 });
});

test('LIB-2: whatever is refused, or never answered, all else is delivered', async () => {
  const steps = new Map<unknown, Step>([
    ['refused', 500],
    ['reset', 'reset'],
    ['silent', 'stall'],
  ]);
  const events = fc.array(fc.constantFrom('a', 'b', ...steps.keys()), { minLength: 1, maxLength: 60 });
  const options = fc.record({
    maxInFlight: fc.integer({ min: 1, max: 3 }),
    uploadSize: fc.integer({ min: 1, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(events, options, async (given, chosen) => {
      const { analytics, clock } = bench({ store: kept, ...chosen }, (_, { messages }) => {
        const first = messages.find(({ event }) => steps.has(event));
        return steps.get(first?.event) ?? 200;
      });
      for (const event of given) analytics.track('u', String(event));
      await clock.until(analytics.close({ timeoutMs: 4 * HOUR_S * 1_000 }));
      expect(analytics.statistics.delivered).toBe(given.filter((event) => !steps.has(event)).length);
    }),
    { numRuns: 40, seed: 20_261_130 },
  );
});
