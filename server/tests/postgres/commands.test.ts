import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { checkDatabase, findingsOf } from '../../cli/doctor/database.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import type { DatabaseState } from '../../storage/postgres/inspect.ts';
import { MIGRATIONS } from '../../storage/postgres/migrations/migrations.ts';
import { NO_KEYS } from '../../storage/secrets/keyring.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const COMMAND = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));
const STEPS = MIGRATIONS.map(({ version: to, what }) => ({ to, what }));

describeWithPostgres('a command for a PostgreSQL storage', () => {
  test('waybill migrate --check fails until waybill migrate has made the tables', async () => {
    await using place = await emptyPlace();
    const database = shownOf(place);
    const before = await waybill(place, 'migrate', '--check', '--json');
    expect(before).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(before.stdout)).toEqual({ database, dry_run: true, steps: STEPS });
    const done = await waybill(place, 'migrate');
    const steps = MIGRATIONS.map(({ version, what }) => `${database}: to format ${version}: ${what}\n`);
    expect(done).toEqual({ code: 0, stderr: '', stdout: `${steps.join('')}Migrated.\n` });
    const after = await waybill(place, 'migrate', '--check');
    expect(after).toEqual({ code: 0, stderr: '', stdout: `${database} has today's format already\n` });
  });

  test('NODE-7: a newer format is refused with both numbers and the way out', async () => {
    await using place = await emptyPlace();
    await waybill(place, 'migrate');
    await place.database.run(script('UPDATE waybill_format SET version = 99, oldest = 98'));
    const words = 'has format 99, for versions of Waybill that know format 98; this one knows format';
    for (const command of [['migrate'], ['migrate', '--check'], ['serve', '--port', '0'], ['token', 'create']]) {
      const { code, stderr } = await waybill(place, ...command);
      expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining(words)]);
    }
  });

  test.each([
    ['a role that does not exist', (url: URL) => void (url.username = 'nobody_here'), 'create the role'],
    ['a database that does not exist', (url: URL) => void (url.pathname = '/nowhere'), 'create the database'],
  ])('waybill doctor says what to do about %s', async (_what, change, way) => {
    await using place = await emptyPlace();
    const { findings } = await checkDatabase(urlWith(place.url, change), 'here', NO_KEYS);
    expect(findings).toEqual([{ check: 'database', status: 'failed', detail: expect.stringContaining(way) }]);
  });

  test('a router serves it, and a token that is created meanwhile is valid at once', async () => {
    await using place = await emptyPlace();
    const flags = { port: '0', storage: place.url, token: 'commands-test-token-0123456789' };
    await using router = await startRouterProcess(flags);
    const { code, stdout } = await waybill(place, 'token', 'create');
    expect(code).toBe(0);
    const headers = { Authorization: `Bearer ${stdout.trim()}` };
    expect((await fetch(`${router.url}/v1beta/workspaces`, { headers })).status).toBe(200);
    expect((await fetch(`${router.url}/readyz`)).status).toBe(200);
    const { stdout: findings } = await waybill(place, 'doctor', '--port', '0');
    expect(findings).toContain('1 use it now');
    await router.stop();
    expect(router.written.stdout).toContain(`"data":"${place.database.shown}"`);
    expect(router.written.stdout).not.toContain('schema=');
  });

  test('waybill doctor looks at the database, and not at a folder', async () => {
    await using place = await emptyPlace();
    const { code, stdout } = await waybill(place, 'doctor', '--json', '--port', '0');
    const findings = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line): { check: string; status: string } => JSON.parse(line))
        .map(({ check, status }) => [check, status]),
    );
    expect(code).toBe(1);
    expect(findings).toMatchObject({
      database: 'ok',
      encryption: 'ok',
      formats: 'ok',
      privileges: 'ok',
      // The server of the tests does not wait for its disk.
      durability: 'failed',
      connections: 'ok',
      routers: 'ok',
    });
    expect(Object.keys(findings)).not.toContain('disk space');
  });

  test('SAFE-3: a database that cannot be reached is named without the password', async () => {
    const url = 'postgres://a:hidden-word@127.0.0.1:1/d';
    for (const command of [['doctor', '--port', '0'], ['migrate'], ['serve', '--port', '0'], ['token', 'create']]) {
      const { code, stdout, stderr } = await run({ WAYBILL_STORAGE: url }, command);
      expect([command, code]).toEqual([command, 1]);
      expect(stdout + stderr).toContain('127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1: start the server there, or');
      expect(stdout + stderr).not.toContain('hidden-word');
    }
  });
});

test('what the state of a database means is said with the way out', () => {
  const state: DatabaseState = {
    version: '18.4',
    role: 'me',
    readable: true,
    unsafe: [],
    standbys: '',
    connections: 11,
    oldestTransactionMs: 725_000,
    oldestPreparedMs: 0,
    stuckSlots: [],
    unfrozen: 200e6,
    pool: 10,
    format: { version: 0, oldest: 0 },
    forbidden: ['queue'],
    mayMakeTables: true,
    routers: 2,
    secrets: new Map(),
  };
  const told = (change: Partial<DatabaseState>): string[] =>
    findingsOf({ ...state, ...change }, 'here').map(({ check, status, detail }) => `${check} ${status}: ${detail}`);
  expect(told({})).toEqual([
    'database ok: PostgreSQL 18.4 at here, as me',
    'encryption warning: events and keys cross the network in clear: use sslmode=verify-full',
    'formats ok: no data yet; the first start, or waybill migrate, makes its tables',
    'privileges failed: me may not use queue: grant me SELECT, INSERT, UPDATE and DELETE on them',
    'durability warning: no synchronous standby: a failover may lose accepted events; set synchronous_standby_names',
    'connections failed: each router uses up to 20 connections, and the server has 11: raise max_connections, or lower pool',
    'transactions warning: one has been open for 12 minutes; deleted rows stay until it ends: find it in pg_stat_activity',
    'routers ok: 2 use it now',
  ]);
  expect(told({ connections: 40 })).toContain(
    'connections ok: each router uses up to 20 connections, and the server has 40',
  );
  expect(told({ connections: 39 })).toContain(
    'connections warning: each router uses up to 20 connections, 2 of them up to 40, and the server has 39: raise max_connections, or lower pool',
  );
  const hidden = { oldestTransactionMs: 0, oldestPreparedMs: 6_000_000, stuckSlots: ['a', 'b'], unfrozen: 1.5e9 };
  expect(told(hidden).filter((one) => /^(transactions|replication)/.test(one))).toEqual([
    'transactions warning: one was prepared 100 minutes ago; deleted rows stay until somebody ends it: COMMIT or ROLLBACK PREPARED, by its gid in pg_prepared_xacts',
    'transactions warning: 1500 million since vacuum has frozen the oldest; at 2,100 million the server takes no more writes: vacuum it, and end what holds that up',
    'replication warning: nobody reads the slot a, b, for which WAL is kept; the disk of the server fills up: let it be read, or drop it (pg_drop_replication_slot)',
  ]);
  expect(told({ standbys: 'b' })).toContain('durability ok: a commit waits for the standby b');
  expect(told({ mayMakeTables: false })).toContainEqual(
    expect.stringMatching(/^formats failed: no tables yet, and me may not make tables: run waybill migrate/),
  );
  expect(told({ format: { version: 99, oldest: 98 } })).toContainEqual(expect.stringContaining('formats failed'));
  expect(told({ format: { version: 99, oldest: 1 } })).toContainEqual(expect.stringContaining('formats ok'));
});

/** The socket's folder is no host that URLs know. */
function urlWith(url: string, change: (url: URL) => void): string {
  const [, host = ''] = /@([^/]*)/.exec(url) ?? [];
  const known = new URL(url.replace(`@${host}`, '@host'));
  change(known);
  return known.href.replace('@host', `@${host}`);
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function waybill({ url }: PostgresPlace, ...args: readonly string[]): Promise<Run> {
  return run({ WAYBILL_STORAGE: url }, args);
}

async function run(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: bareEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stdout, stderr };
}

function shownOf({ database }: PostgresPlace): string {
  return database.shown;
}
