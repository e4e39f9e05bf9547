/**
 * `node scripts/run.mjs scripts/audience-sql.ts [1000000 [seed]] [--save]`: 100 random audiences and 25 computed traits of so many users, found
 * by the engine in a file, and by DuckDB from the raw events.
 */
import { parseArgs } from 'node:util';
import { fileProfilesPlace } from '../server/tests/conformance/file-profiles-place.ts';
import type { Size } from '../server/tests/oracle/sql/population.ts';
import { type Compared, sqlDifferences } from '../server/tests/oracle/sql/sql-differences.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'boolean', default: false } },
});
const [users = '1000000', seed = '1'] = positionals;
if ([users, seed].every((number) => /^[1-9]\d{0,8}$/.test(number))) await run(Number(users), Number(seed));
else {
  console.error(`${users} ${seed}: give the number of users and the seed as whole numbers above 0`);
  process.exitCode = 2;
}

async function run(count: number, first: number): Promise<void> {
  const size: Size = { users: count, audiences: 100, traits: 25, rounds: 2, seed: first };
  const startedAt = performance.now();
  const compared = await sqlDifferences(size, fileProfilesPlace, (what) => console.error(what));
  const { differences, ...counts } = compared;
  console.log({
    ...counts,
    differences: differences.length,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  });
  for (const one of differences) console.log(one);
  if (differences.length > 0) process.exitCode = 1;
  if (values.save) save(size, compared);
}

function save(size: Size, { differences, ...counts }: Compared): void {
  const origin = originNow(`npx node scripts/audience-sql.ts ${size.users} ${size.seed}`);
  writeResult('audience-sql', { ...origin, ...size, ...counts, differences: differences.length });
  writePages();
}
