/**
 * `node scripts/run.mjs scripts/audiences.ts [10000 [first seed]]`: lives so many random worlds through, in which what audiences and computed
 * traits find is compared with brute force over the raw events.
 */
import { memoryProfilesPlace } from '../server/tests/conformance/profile-place.ts';
import { differencesIn } from '../server/tests/oracle/differences.ts';

const [count = '10000', from = '1'] = process.argv.slice(2);
if ([count, from].every((number) => /^[1-9]\d{0,8}$/.test(number))) await run(Number(count), Number(from));
else {
  console.error(`${count} ${from}: give the number of worlds and the first seed as whole numbers above 0`);
  process.exitCode = 2;
}

async function run(worlds: number, first: number): Promise<void> {
  const startedAt = performance.now();
  for (let seed = first; seed < first + worlds; seed += 1) {
    const differences = await differencesIn(seed, () => memoryProfilesPlace());
    if (differences.length === 0) continue;
    console.error([`seed ${seed} differs:`, ...differences].join('\n  '));
    process.exitCode = 1;
    return;
  }
  console.log(`${worlds} worlds, no differences (${Math.round((performance.now() - startedAt) / 1000)} s)`);
}
