/**
 * `npm run test:faults -- [faults] [seed] [--only <name>] [--beside <commit>]`: three routers on a PostgreSQL with a
 * synchronous standby, under load, while routers, network and database fail one after the other, and what that cost. With `--switch 50`, how many
 * events are routed by an older configuration while the routers change it 100 times. With `--beside <commit>`, one of the
 * routers is of that version. With `--roll-from <commit>`, all are, and are replaced one by one. `--save` keeps what faults or that cost.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { FAULT_NAMES, type FaultName, isFault } from './faults/faults.ts';
import { faultRun } from './faults/fault-run.ts';
import { rollingUpdate } from './faults/rolling-update.ts';
import { switchingRun } from './faults/switching-run.ts';
import type { FaultsRow } from './results/faults-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, readResult, withRow, writeResult } from './results/result.ts';

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    switch: { type: 'string' },
    beside: { type: 'string' },
    'roll-from': { type: 'string' },
    save: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [count = 20, seed = Date.now() % 1_000_000] = positionals.map(Number);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed) || !isKnown(values.only)) {
  const usage =
    'usage: npm run test:faults -- [faults] [seed] [--only <name>] [--beside <commit>], faults and seed whole numbers';
  console.error(`${usage}; names are ${FAULT_NAMES.join(', ')}`);
  process.exit(2);
}
if (values.switch !== undefined) {
  const { events, misrouted } = await switchingRun({ times: Number(values.switch), eventsEach: 1_000 });
  console.log(`${events} events behind ${2 * Number(values.switch)} changes, ${misrouted.length} routed as before`);
  process.exit(misrouted.length === 0 ? 0 : 1);
}
if (values['roll-from'] !== undefined) {
  const from = values['roll-from'];
  const report = await rollingUpdate({ from, random: seededRandom(seed), onUpdate: tellUpdate });
  const { acknowledged, lost, repeated, unended, exitCodes, formats, jobs, logs } = report;
  const refused = [...report.refused.values()].reduce((sum, times) => sum + times, 0);
  const jobsLeft = jobs.unended.length + jobs.left + jobs.missed.length;
  const kept = { acknowledged, lost: lost.length, repeated, unended, refused, jobs: jobs.asked, jobsLeft, formats };
  console.log(JSON.stringify(kept));
  const command = `npm run test:faults -- --roll-from ${from}`;
  if (values.save) {
    writeResult('rolling-update', { ...originNow(command), from, ...kept });
    writePages();
  }
  const isWhole = lost.length + repeated + unended + jobsLeft === 0 && exitCodes.every((code) => code === 0);
  if (!isWhole) console.error(logs);
  process.exit(isWhole ? 0 : 1);
}
const random = seededRandom(seed);
const names = values.only === undefined ? FAULT_NAMES : [values.only];
const faults = Array.from({ length: count }, () => names[Math.floor(random() * names.length)]).filter(
  (name): name is FaultName => name !== undefined && isFault(name),
);
console.log(`${count} faults, seed ${seed}`);
const origin = originNow(`npm run test:faults -- ${count} ${seed}`);
const startedAt = Date.now();
const onFault = (name: FaultName, done: number): void =>
  console.log(`${String(done).padStart(4)}  ${name}, ${Math.round((Date.now() - startedAt) / 1_000)} s`);
const { acknowledged, lost, repeated, unexplained, afterLease, unended, deaths, jobs, refused, logs } = await faultRun({
  faults,
  random,
  beside: values.beside,
  onFault,
});
console.log(`refused: ${[...refused].map(([answer, times]) => `${answer} ${times}×`).join(', ') || 'nothing'}`);
console.log(
  `acknowledged ${acknowledged}, lost ${lost.length}, repeated ${repeated}, ` +
    `of these not in flight at a fault ${unexplained.length}, ` +
    `sent after a lease ${afterLease.length}, not ended ${unended}, routers that ended by themselves, or took no event any more ${deaths.length}`,
);
console.log(
  `${jobs.asked} replays and deletions, not ended ${jobs.unended.length}, rows of deleted users ${jobs.left}, ` +
    `not sent again, or not once ${jobs.missed.length}`,
);
const wrongJobs = jobs.unended.length + jobs.left + jobs.missed.length;
if (values.save) {
  const row = {
    ...origin,
    seed,
    faults: faults.length,
    acknowledged,
    lost: lost.length,
    repeated,
    unexplained: unexplained.length,
    afterLease: afterLease.length,
    unended,
    jobs: jobs.asked,
    wrongJobs,
    deaths: deaths.length,
  };
  const isSame = (one: FaultsRow): boolean =>
    one.seed === row.seed && one.faults === row.faults && one.commit === row.commit;
  writeResult('faults', withRow(readResult('faults'), row, isSame));
  writePages();
}
for (const death of deaths) console.error(`✗ ${death}`);
if (lost.length + unexplained.length + afterLease.length + unended + wrongJobs + deaths.length > 0) {
  console.error(logs);
  console.error(`✗ lost: ${lost.slice(0, 5).join(' ')}; unexplained: ${unexplained.slice(0, 5).join(' ')}`);
  for (const { id, router } of afterLease.slice(0, 5))
    console.error(`✗ ${id} was sent by process ${router} after its lease`);
  process.exitCode = 1;
}

function tellUpdate(done: number): void {
  console.log(`${done} of 3 routers updated`);
}

function isKnown(name: string | undefined): boolean {
  return name === undefined || isFault(name);
}
