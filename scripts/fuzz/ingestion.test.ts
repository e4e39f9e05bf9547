import { expect, test } from 'vitest';
import { anyInput } from './inputs.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import { fuzz } from './run.ts';
import { startIngestionTarget } from './target.ts';

test('ING-2, D-41: ingestion answers whatever it is sent', async () => {
  await using target = await startIngestionTarget();
  const { faults, statuses } = await fuzz(target, { seed: 1, inputs: 3_000 });
  expect(faults).toEqual([]);
  for (const status of [200, 400, 401, 404, 413]) expect(statuses.get(status)).toBeGreaterThan(5);
});

test('an answer that may not be is found, with its seed and number', async () => {
  await using target = await startIngestionTarget(() => Promise.reject(new Error('broken')));
  const { faults } = await fuzz(target, { seed: 1, inputs: 200 });
  expect(faults.length).toBeGreaterThan(0);
  expect(faults[0]).toMatch(/^seed 1, input \d+: status 500, for \//);
});

test('a seed gives the same inputs each time', () => {
  const [one, two, other] = [seededRandom(7), seededRandom(7), seededRandom(8)];
  const inputs = Array.from({ length: 50 }, () => anyInput(one));
  expect(Array.from({ length: 50 }, () => anyInput(two))).toEqual(inputs);
  expect(Array.from({ length: 50 }, () => anyInput(other))).not.toEqual(inputs);
});
