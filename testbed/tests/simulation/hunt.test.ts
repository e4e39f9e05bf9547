import { expect, test } from 'vitest';
import { hunt, tellFinding } from '../../simulation/hunt.ts';
import { simulate } from '../../simulation/simulate.ts';

const HOUR = 3_600_000;

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
          one.state === 'delivered' && one.order % 3 === 1 ? { ...one, state: 'failed' as const } : one,
        ),
      };
    },
  );
  expect(finding?.broken).toEqual([expect.stringMatching(/^m\d-b?\d+ is delivered exactly when/)]);
  expect(finding?.story.arrivals).toHaveLength(1);
  expect(finding === undefined ? '' : tellFinding(finding)).toContain('with no more than:');
});

test('each run of a hunt has endpoints of its own: what they have drawn is no part of the story', async () => {
  const seen = new Set<unknown>();
  let runs = 0;
  const finding = await hunt(
    1,
    { destinations: 2, eventsPerDestination: 2, arrivalMs: HOUR },
    async (world, options) => {
      runs += 1;
      seen.add(world.characters);
      const run = await simulate(world, options);
      return {
        ...run,
        deliveries: run.deliveries.map((one) => ({ ...one, state: 'delivered' as const, attempts: [] })),
      };
    },
  );
  expect(finding?.story.arrivals).toHaveLength(1);
  expect(runs).toBeGreaterThan(3);
  expect(seen.size).toBe(runs);
});
