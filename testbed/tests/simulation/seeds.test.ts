import { expect, test } from 'vitest';
import { hunt, tellFinding } from '../../simulation/hunt.ts';
import { simulate } from '../../simulation/simulate.ts';
import { traceOf } from '../../simulation/trace.ts';
import { drawWorld } from '../../simulation/world.ts';

const SEEDS = 200;
const HOUR = 3_600_000;

test('HOOK-9, HOOK-10, HOOK-18: the invariants hold on two hundred seeds', { timeout: 180_000 }, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const finding = await hunt(seed);
    expect(finding === undefined ? '' : tellFinding(finding)).toBe('');
  }
});

test('the same seed gives the same trace, byte for byte', async () => {
  const size = { destinations: 30, eventsPerDestination: 4, arrivalMs: HOUR };
  const run = async (seed: number): Promise<string> =>
    traceOf(await simulate(drawWorld(seed, size), { seed, durationMs: 5 * HOUR }));
  const first = await run(7);
  expect(await run(7)).toBe(first);
  expect(await run(8)).not.toBe(first);
  expect(first.split('\n').length).toBeGreaterThan(200);
});

test('a thousand destinations live through four hours', async () => {
  const size = { destinations: 1_000, eventsPerDestination: 3, arrivalMs: HOUR };
  const { deliveries } = await simulate(drawWorld(1, size), { seed: 1, durationMs: 5.5 * HOUR });
  expect(deliveries).toHaveLength(3_000);
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['delivered', 'failed', 'expired']));
});

test('a broken engine is found, and its story is shrunken', async () => {
  // It forgets that it has delivered, once in a while.
  const finding = await hunt(
    3,
    { destinations: 5, eventsPerDestination: 4, arrivalMs: HOUR },
    async (world, options) => {
      const run = await simulate(world, options);
      return {
        ...run,
        deliveries: run.deliveries.map((one) =>
          one.state === 'delivered' && one.id % 3 === 1 ? { ...one, state: 'failed' as const } : one,
        ),
      };
    },
  );
  expect(finding?.broken).toEqual([expect.stringMatching(/^HOOK-10: m\d-\d is delivered exactly when/)]);
  expect(finding?.story.arrivals).toHaveLength(1);
  expect(finding === undefined ? '' : tellFinding(finding)).toContain('with no more than:');
});
