/**
 * `node scripts/run.mjs scripts/audience-kills.ts [50 [members [seed]]] [--over file|postgres] [--save]`: kills a router again and again in
 * the first sync of an audience, and says who was not told, or told twice. On PostgreSQL its database fails over once as well.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../server/tests/support/postgres-server.ts';
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { type FirstSyncReport, firstSyncRun } from './crash/first-sync.ts';
import { type Kill, planSyncKills } from './crash/kills.ts';
import { writePages } from './results/pages.ts';
import { originNow, readResult, withRow, writeResult } from './results/result.ts';

const options = { over: { type: 'string', default: 'file' }, save: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [count = 50, members = 100_000, seed = 1] = positionals.map(Number);
if (
  ![count, members, seed].every((number) => Number.isInteger(number) && number > 0) ||
  !/^(file|postgres)$/.test(values.over)
) {
  console.error(
    `usage: audience-kills.ts [kills [members [seed]]] [--over file|postgres] [--save]; got ${process.argv.slice(2).join(' ')}`,
  );
  process.exit(2);
}

const kills = planSyncKills(count, members, seededRandom(seed));
const report = await (values.over === 'file' ? overFiles(kills) : overPostgres(kills));
console.log(report);
const { missing, toldTwice, wrong, next, sync, repeated } = report;
const isWhole = missing + toldTwice + wrong + next === 0 && sync.sent === members && sync.delivered === members;
if (values.save) {
  const row = {
    over: values.over,
    kills: count,
    members,
    missing,
    toldTwice,
    wrong,
    repeated,
    failovers: report.died['failover'] ?? 0,
  };
  const command = `npx node scripts/audience-kills.ts ${count} ${members} ${seed} --over ${values.over}`;
  const rows = withRow(
    readResult('audience-kills'),
    { ...originNow(command), ...row },
    ({ over }) => over === row.over,
  );
  writeResult('audience-kills', rows);
  writePages();
}
process.exitCode = isWhole ? 0 : 1;

async function overFiles(planned: readonly Kill[]): Promise<FirstSyncReport> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-first-sync-'));
  try {
    return await firstSyncRun({ storage: `file:${folder}`, members, kills: planned, onKill });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function overPostgres(planned: readonly Kill[]): Promise<FirstSyncReport> {
  const server = await startPostgres();
  const failOver = async (): Promise<void> => {
    await server.end('immediate');
    await server.start();
  };
  try {
    const half = Math.floor(planned.length / 2);
    const all = [...planned.slice(0, half), 'failover' as const, ...planned.slice(half)];
    return await firstSyncRun({ storage: server.url(), members, kills: all, failOver, onKill });
  } finally {
    await server.stop();
  }
}

function onKill(done: number): void {
  console.log(`${done} ends`);
}
