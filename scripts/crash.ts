/**
 * `npm run test:crash -- [kills] [seed] [--over file|postgres] [--save]`: kills a router under load again and again, and says
 * what it cost; `--save` keeps that in docs/results/.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { CRASH_ENGINES } from './crash/crash-places.ts';
import { crashRun } from './crash/crash-run.ts';
import { faultsOf } from './crash/findings.ts';
import { planKills } from './crash/kills.ts';
import type { CrashResult } from './results/crash-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const options = { over: { type: 'string', default: 'file' }, save: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [kills = 200, seed = Date.now() % 1_000_000] = positionals.map(Number);
const { over, save } = values;
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed) || (over !== 'file' && over !== 'postgres')) {
  const usage = 'npm run test:crash -- [kills] [seed] [--over file|postgres] [--save], both whole numbers';
  console.error(`usage: ${usage}; got ${process.argv.slice(2).join(' ')}`);
  process.exit(2);
}
const engine = CRASH_ENGINES[over];
console.log(`${kills} kills, seed ${seed}`);
const onKill = (done: number): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r${done}/${kills} kills`);
};
const report = await crashRun({ kills: planKills(kills, seededRandom(seed), engine.choice), engine, onKill });
for (const [point, count] of Object.entries(report.died)) console.log(`${String(count).padStart(5)}  ${point}`);
console.log(
  `acknowledged ${report.acknowledged}, lost ${report.lost}, stuck ${report.stuck}, ` +
    `repeated ${report.repeated} of ${report.inFlight} in flight and ${report.stalled} given up by a router that stood still`,
);
if (save) {
  const { acknowledged, lost, stuck, damaged, repeated, inFlight, stalled } = report;
  const figures = { kills, acknowledged, lost, stuck, damaged, repeated, inFlight, stalled };
  const where = over === 'file' ? '' : ` --over ${over}`;
  const result: CrashResult = { ...originNow(`npm run test:crash -- ${kills} ${seed}${where}`), ...figures };
  writeResult(over === 'file' ? 'crash' : 'crash-postgres', result);
  writePages();
}
const faults = faultsOf(report);
for (const fault of faults) console.error(`✗ ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
