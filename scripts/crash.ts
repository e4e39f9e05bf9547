/** `npm run test:crash -- [kills] [seed]`: kills a router under load again and again, and says what it cost. */
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { crashRun } from './crash/crash-run.ts';
import { faultsOf } from './crash/findings.ts';
import { planKills } from './crash/kills.ts';

const [kills = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error(
    `usage: npm run test:crash -- [kills] [seed], both whole numbers; got ${process.argv.slice(2).join(' ')}`,
  );
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
const faults = faultsOf(report);
for (const fault of faults) console.error(`✗ ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
