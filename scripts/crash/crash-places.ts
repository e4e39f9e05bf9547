import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { openSqliteStorage } from '../../server/storage/file/deliveries/sqlite-storage.ts';
import { openDatabase as openForRouter } from '../../server/storage/postgres/connection/database.ts';
import { readAddress } from '../../server/storage/postgres/connection/address.ts';
import { openPostgresStorage } from '../../server/storage/postgres/open-postgres-storage.ts';
import { NO_KEYS } from '../../server/storage/secrets/keyring.ts';
import { systemClock } from '../../server/system-clock.ts';
import { type PostgresServer, startPostgres } from '../../server/tests/support/postgres-server.ts';
import { CRASH_POINTS, SHARED_POINTS } from './crash-points.ts';
import type { KillChoice } from './kills.ts';
import { damaged, examine, type Wreck } from './wreck.ts';

/** Where the routers that are killed keep what they have. */
export interface CrashPlace extends AsyncDisposable {
  /** As WAYBILL_STORAGE has it. */
  readonly storage: string;
  /** Looks at a copy, so that the router that starts next finds all as it was left. */
  readonly examine: (source: string, ids: Iterable<string>) => Promise<Wreck>;
}

export interface CrashEngine {
  readonly choice: KillChoice;
  readonly open: () => Promise<CrashPlace>;
}

/** By the name of an engine. */
export const CRASH_ENGINES = {
  file: { choice: { points: CRASH_POINTS, maxMs: 320 }, open: openFolder },
  // Until the lease of the one before is over, a router is not alone: some live to see that.
  postgres: { choice: { points: SHARED_POINTS, maxMs: 6_000 }, open: openDatabase },
} as const satisfies Readonly<Record<string, CrashEngine>>;

function openFolder(): Promise<CrashPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-crash-'));
  const examineFolder: CrashPlace['examine'] = async (source, ids) => {
    const copy = mkdtempSync(join(tmpdir(), 'waybill-wreck-'));
    try {
      for (const name of ['deliveries.sqlite', 'deliveries.sqlite-wal']) {
        if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
      }
      const store = await openSqliteStorage(join(copy, 'deliveries.sqlite'));
      await using stores = new AsyncDisposableStack();
      stores.defer(() => store.close());
      return {
        ...(await examine({ deliveries: store, log: store, members: store }, source, [...ids])),
        damage: undefined,
      };
    } catch (error) {
      return damaged(error);
    } finally {
      rmSync(copy, { recursive: true });
    }
  };
  return Promise.resolve({
    storage: `file:${folder}`,
    examine: examineFolder,
    [Symbol.asyncDispose]: () => Promise.resolve(rmSync(folder, { recursive: true })),
  });
}

const COPY = 'wreck';
const LOOK_MS = 20;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

async function openDatabase(): Promise<CrashPlace> {
  const server = await startPostgres();
  return {
    storage: server.url(),
    examine: async (source, ids) => {
      try {
        await using copy = await copyOf(server);
        await using storage = await opened(copy.url);
        return { ...(await examine(storage, source, [...ids])), damage: undefined };
      } catch (error) {
        return damaged(error);
      }
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** For answers of a copy that nobody waits for, on a machine that is busy with others. */
const PATIENT_MS = 600_000;

async function opened(url: string) {
  const database = openForRouter(readAddress(url), PATIENT_MS);
  const storage = await openPostgresStorage({ database, clock: systemClock, log: SILENT, keyring: NO_KEYS });
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() };
}

/** Of its database, once it has done what a dead router had asked of it; nobody lives in the copy. */
async function copyOf(server: PostgresServer): Promise<AsyncDisposable & { readonly url: string }> {
  await using beside = await connected(server, 'template1');
  const { client } = beside;
  const others = `SELECT FROM pg_stat_activity WHERE datname = 'postgres'`;
  while ((await client.query(others)).rows.length > 0) await wait(LOOK_MS);
  await client.query(`DROP DATABASE IF EXISTS ${COPY}`);
  await client.query(`CREATE DATABASE ${COPY} TEMPLATE postgres`);
  await using within = await connected(server, COPY);
  await within.client.query('UPDATE waybill.nodes SET until = 0 WHERE until IS NOT NULL');
  return {
    url: server.url().replace('/postgres?', `/${COPY}?`),
    async [Symbol.asyncDispose]() {
      await using after = await connected(server, 'template1');
      await after.client.query(`DROP DATABASE ${COPY}`);
    },
  };
}

async function connected(
  server: PostgresServer,
  database: string,
): Promise<AsyncDisposable & { readonly client: Client }> {
  const client = new Client({ host: server.folder, port: server.port, user: server.user, database });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

function ignore(): void {
  // What the copy is opened with is looked at, and not listened to.
}
