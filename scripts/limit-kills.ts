/**
 * `node scripts/run.mjs scripts/limit-kills.ts [10 [seed]] [--save]`: of routers that share a PostgreSQL and a destination with a limit, ends
 * the one that sends, again and again, and says how many requests came to the receiver within a second.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { rateRun } from './faults/rate-run.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const options = { save: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [changes = 10, seed = Date.now() % 1_000_000] = positionals.map(Number);
if (!Number.isInteger(changes) || changes < 1 || !Number.isInteger(seed)) {
  console.error(`usage: limit-kills.ts [changes [seed]] [--save], both whole numbers; got ${positionals.join(' ')}`);
  process.exit(2);
}
const onChange = (done: number): void => console.log(`${done} changes`);
const { lost, logs, ...figures } = await rateRun({ changes, random: seededRandom(seed), onChange });
console.log(`${changes} changes, seed ${seed}: ${JSON.stringify({ ...figures, lost: lost.length })}`);
if (values.save) {
  const origin = originNow(`npx node scripts/limit-kills.ts ${changes} ${seed}`);
  writeResult('limit-kills', { ...origin, changes, ...figures, lost: lost.length });
  writePages();
}
if (lost.length > 0) {
  console.error(logs);
  for (const id of lost.slice(0, 10)) console.error(`✗ ${id} was accepted and did not arrive`);
  process.exitCode = 1;
}
