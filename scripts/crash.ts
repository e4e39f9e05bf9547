/** `npm run test:crash -- [kills] [seed]`: kills a router under load again and again, and counts what was lost. */
import { crashRun } from './crash/crash-run.ts';
import { seededRandom } from '../testbed/simulation/seeded-random.ts';

const [kills = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error(
    `usage: npm run test:crash -- [kills] [seed], both whole numbers; got ${process.argv.slice(2).join(' ')}`,
  );
  process.exit(2);
}
console.log(`${kills} kills, seed ${seed}`);
const report = await crashRun(kills, seededRandom(seed), (done) => {
  if (process.stdout.isTTY) process.stdout.write(`\r${done}/${kills} kills`);
});
console.log(`\nacknowledged ${report.acknowledged}, lost ${report.lost}, repeated ${report.repeated}`);
process.exitCode = report.lost === 0 ? 0 : 1;
