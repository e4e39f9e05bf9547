/**
 * `npm run test:properties [-- 100000]`: so many courses of outcomes through the delivery engine, and one run of several
 * routers for each 500 of them, which keep the rules.
 */
import { checkRoundStories } from '../server/tests/support/round-stories.ts';
import { clusterFaults } from '../testbed/simulation/cluster-oracle.ts';
import { simulateCluster } from '../testbed/simulation/cluster.ts';

const STORIES_PER_SEED = 500;

const [count = '100000'] = process.argv.slice(2);
if (/^[1-9]\d{0,8}$/.test(count)) await run(Number(count));
else {
  console.error(`${count} is no number of courses: give a whole number above 0`);
  process.exitCode = 2;
}

async function run(stories: number): Promise<void> {
  const seeds = Math.ceil(stories / STORIES_PER_SEED);
  try {
    await timed(`${stories} courses of outcomes`, () => checkRoundStories(stories));
    await timed(`${seeds} runs of several routers`, () => checkClusters(seeds));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${what} keep the rules (${Math.round(performance.now() - startedAt)} ms)`);
}

async function checkClusters(seeds: number): Promise<void> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const faults = clusterFaults(await simulateCluster(seed));
    if (faults.length > 0) throw new Error([`seed ${seed} breaks:`, ...faults].join('\n  '));
  }
}
