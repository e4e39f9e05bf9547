/**
 * `node scripts/run.mjs scripts/peers/newest-postgres.ts [--install FOLDER]`: the tests of the storage in PostgreSQL once more, on the
 * newest version of the server. `npm test` runs them on what the system has, which is often the oldest that is supported. With
 * `--install` the server is installed, and nothing else: `npm test -- --peers` has these tests among its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../generate/root.ts';
import { binIn, installPostgres } from './embedded-postgres.ts';

const { values } = parseArgs({ options: { install: { type: 'string' } } });
if (values.install === undefined) runTests();
else installPostgres(values.install);

/** What needs `psql` or `pg_dump`, which the package does not have, is skipped there. */
function runTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-postgres-of-npm-'));
  try {
    installPostgres(folder);
    const env = { ...process.env, NEWEST_PGBIN: binIn(folder) };
    const tests = ['vitest', 'run', '--project', 'newest-postgres'];
    const { status } = spawnSync('npx', tests, { cwd: ROOT, stdio: 'inherit', env });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
