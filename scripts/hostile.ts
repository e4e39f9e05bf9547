/**
 * `npm run test:hostile -- [deadline in ms] [--json] [--save]`: meets every receiver of the battery with the deadline of
 * production, and measures how long each holds a slot, and how much memory and processor it takes.
 */
import { fork } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { runInNewContext } from 'node:vm';
import { DEFAULT_POLICY } from '../server/model/policy.ts';
import { type Measured, measure } from './hostile/measure.ts';
import { faultsOf, figuresOf, TABLE_HEAD, tableLine } from './hostile/printout.ts';
import type { Ready } from './hostile/receivers.ts';
import { HOSTILE_ROWS } from './hostile/rows.ts';
import { createSender } from './hostile/sender.ts';
import type { HostileResult } from './results/hostile-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

/** At one receiver at once: as many as five webhooks with the same fault. */
const ATTEMPTS = 5;
/** The answer that is just in time comes so long before the deadline: the network and both processes need a part of it. */
const JUST_IN_TIME_MS = 50;

const args = process.argv.slice(2);
const [json, save] = [args.includes('--json'), args.includes('--save')];
const deadlineMs = Number(args.find((arg) => arg !== '--json' && arg !== '--save') ?? DEFAULT_POLICY.deadlineMs);
if (!Number.isInteger(deadlineMs) || deadlineMs < 100) {
  console.error(
    `usage: npm run test:hostile -- [deadline in ms, 100 or more] [--json] [--save]; got ${args.join(' ')}`,
  );
  process.exit(2);
}

setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');
const receivers = fork(new URL('hostile/receivers.ts', import.meta.url), { execArgv: [] });
const ready = new Promise<Ready>((resolve) => receivers.once('message', (message: Ready) => resolve(message)));
receivers.send({ deadlineMs, marginMs: JUST_IN_TIME_MS });
const { authority, urls } = await ready;
setDefaultCACertificates([...getCACertificates('default'), authority]);

if (!json) console.log(TABLE_HEAD);
const measured: Measured[] = [];
await using sender = createSender(deadlineMs);
// The first rows would else pay for code that is compiled once.
for (const row of HOSTILE_ROWS.filter(({ until }) => until === 'end')) await run(row, 1);
for (const row of HOSTILE_ROWS) {
  const one = await run(row, ATTEMPTS);
  measured.push(one);
  console.log(json ? JSON.stringify(figuresOf(one)) : tableLine(one));
}
receivers.disconnect();
if (save) {
  const command = `npm run test:hostile${deadlineMs === DEFAULT_POLICY.deadlineMs ? '' : ` -- ${deadlineMs}`}`;
  const result: HostileResult = {
    ...originNow(command),
    deadlineMs,
    attempts: ATTEMPTS,
    rows: measured.map(figuresOf),
  };
  writeResult('hostile', result);
  writePages();
}

const faults = measured.flatMap((one) => faultsOf(one, deadlineMs));
for (const fault of faults) console.error(`✗ ${fault}`);
if (!json) console.log(`\n${measured.length} faults, ${faults.length} that the router does not withstand`);
process.exitCode = faults.length === 0 ? 0 : 1;

function run(row: (typeof HOSTILE_ROWS)[number], attempts: number): Promise<Measured> {
  return measure(sender, row, urls[row.fault] ?? '', deadlineMs, attempts);
}
