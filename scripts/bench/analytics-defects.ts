/** `npx node scripts/bench/analytics-defects.ts`: the measured defects of the peer, and the same on this library. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CALL_ROWS, type Row } from './analytics-call-rows.ts';
import { peer, type Rival, waybill } from './analytics-rivals.ts';
import { SEND_ROWS } from './analytics-send-rows.ts';
import { benchServer } from './analytics-server.ts';

const CHILD = fileURLToPath(new URL('analytics-child.ts', import.meta.url));

/** A row that takes longer has no end of its own. */
const LIMIT_MS = 20_000;

interface Finding {
  readonly defect: string;
  readonly peer: string;
  readonly waybill: string;
}

// Not a word of the libraries' own on the console between the rows.
console.warn = () => {};

const asJson = process.argv.includes('--json');
for (const row of [...CALL_ROWS, ...SEND_ROWS]) {
  print({ defect: row.defect, peer: await measure(row, peer), waybill: await measure(row, waybill) });
}
for (const [defect, scenario] of [
  ['100 000 events, server down', 'memory'],
  ['natural end', 'natural'],
  ['process.exit', 'exit'],
] as const) {
  print({ defect, peer: await child('peer', scenario), waybill: await child('waybill', scenario) });
}
process.exit(0);

function print(finding: Finding): void {
  const { defect, ...of } = finding;
  console.log(asJson ? JSON.stringify(finding) : `${defect}\n  peer     ${of.peer}\n  waybill  ${of.waybill}\n`);
}

async function measure(row: Row, of: typeof peer): Promise<string> {
  await using server = await benchServer();
  const result = row.run((options = {}) => of({ host: server.url, ...options }), server);
  const tooLate = sleep(LIMIT_MS, undefined, { ref: false }).then(() => `did not end in ${LIMIT_MS / 1000} s`);
  return await Promise.race([result, tooLate]);
}

async function child(library: Rival['name'], scenario: string): Promise<string> {
  await using server = await benchServer();
  const host = scenario === 'memory' ? 'http://127.0.0.1:9' : server.url;
  const start = Date.now();
  const running = spawn(process.execPath, ['--expose-gc', CHILD, library, scenario, host], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  running.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(running, 'close');
  if (scenario === 'memory') return output.trim();
  return `${server.seen.length} requests, ended after ${Math.round((Date.now() - start) / 100) / 10} s`;
}
