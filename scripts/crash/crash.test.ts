import { expect, test } from 'vitest';
import { crashRun } from './crash-run.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';

const KILLS = 20;

test('ING-10: nothing that was answered 200 is lost over twenty kills', { timeout: 240_000 }, async () => {
  const report = await crashRun(KILLS, seededRandom(20261121));
  expect(report).toMatchObject({ kills: KILLS, lost: 0 });
  expect(report.acknowledged).toBeGreaterThan(KILLS);
});
