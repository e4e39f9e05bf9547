/**
 * `npm run test:crash -- [kills] [seed] [--save]`: kills a router under load again and again, and says what it cost;
 * `--save` keeps that in docs/results/.
 */
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { crashRun } from './crash/crash-run.ts';
import { faultsOf } from './crash/findings.ts';
import { planKills } from './crash/kills.ts';
import type { CrashResult } from './results/crash-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const args = process.argv.slice(2);
const save = args.includes('--save');
const [kills = 200, seed = Date.now() % 1_000_000] = args.filter((arg) => arg !== '--save').map(Number);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error(`usage: npm run test:crash -- [kills] [seed] [--save], both whole numbers; got ${args.join(' ')}`);
  process.exit(2);
}
console.log(`${kills} kills, seed ${seed}`);
const onKill = (done: number): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r${done}/${kills} kills`);
};
const report = await crashRun({ kills: planKills(kills, seededRandom(seed)), onKill });
for (const [point, count] of Object.entries(report.died)) console.log(`${String(count).padStart(5)}  ${point}`);
console.log(
  `acknowledged ${report.acknowledged}, lost ${report.lost}, stuck ${report.stuck}, ` +
    `repeated ${report.repeated} of ${report.inFlight} in flight`,
);
if (save) {
  const { acknowledged, lost, stuck, damaged, repeated, inFlight } = report;
  const figures = { kills, acknowledged, lost, stuck, damaged, repeated, inFlight };
  const result: CrashResult = { ...originNow(`npm run test:crash -- ${kills} ${seed}`), ...figures };
  writeResult('crash', result);
  writePages();
}
const faults = faultsOf(report);
for (const fault of faults) console.error(`✗ ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
