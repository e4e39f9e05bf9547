import type { Commit, ConfigStore } from '../../storage/config-store.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import type { Listening } from '../../storage/postgres/connection/listening.ts';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import { openPostgresConfigStore } from '../../storage/postgres/resources/postgres-config-store.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { RecordingLog } from './ingestion-log.ts';
import { postgresPlace } from './postgres-place.ts';
import type { PostgresPlace } from './postgres-schema.ts';

/** One router on a database, with what a test does to its connection. Its clock stands still until `tick`. */
export interface ConfigRouter {
  readonly store: ConfigStore;
  /** What its feed told since it was opened: `workspace:name`, with a minus where it went. */
  readonly told: string[];
  readonly versions: number[];
  /** Names of the statements that it ran, but for those of its transactions. */
  readonly ran: string[];
  /** How many rows each of them answered. */
  readonly rows: number[];
  readonly log: RecordingLog;
  /** Between it and the server. */
  readonly proxy: CuttingProxy;
  /** Whatever sleeps wakes up. */
  tick(): void;
  /** What it listens on is lost. */
  loseListener(): void;
  /** How often it began to listen. */
  listens(): number;
}

export interface ConfigWorld extends AsyncDisposable {
  /** Of its own, beside those of routers. */
  readonly database: Database;
  open(options?: { readonly isDeaf?: boolean }): Promise<ConfigRouter>;
}

/** Any number of routers on a schema; on one of their own, where no other is given. */
export async function configWorld(on: Promise<PostgresPlace> = postgresPlace()): Promise<ConfigWorld> {
  const opened = new AsyncDisposableStack();
  const place = opened.use(await on);
  const open = async ({ isDeaf = false } = {}): Promise<ConfigRouter> => {
    const address = readAddress(place.url);
    const path = address.hosts.map(({ host, port }) => `${host}/.s.PGSQL.${port}`).join('');
    const proxy = opened.use(await CuttingProxy.start({ path }));
    const own = openDatabase({ ...address, hosts: [{ host: '127.0.0.1', port: proxy.port, ssl: undefined }] });
    opened.defer(() => own.close());
    const { router, database, clock } = watched(own, proxy, isDeaf);
    const store = await openPostgresConfigStore({ database, clock, log: router.log });
    opened.defer(() => store.close());
    await store.watch((commit) => note(router, commit));
    for (const list of [router.told, router.versions, router.ran, router.rows]) list.splice(0);
    return { ...router, store };
  };
  return { database: place.database, open, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function note({ told, versions }: Pick<ConfigRouter, 'told' | 'versions'>, commit: Commit): void {
  versions.push(commit.version);
  for (const { name, row } of commit.changes) told.push(`${commit.workspace}:${row === undefined ? '-' : ''}${name}`);
}

function watched(own: Database, proxy: CuttingProxy, isDeaf: boolean) {
  const [ran, rows]: [string[], number[]] = [[], []];
  const sleepers = new Set<() => void>();
  let [listens, listening]: [number, Listening | undefined] = [0, undefined];
  const database: Database = {
    ...own,
    run: async <Row>(statement: Statement, values?: readonly unknown[]) => {
      ran.push(statement.name);
      const answer = await own.run<Row>(statement, values);
      rows.push(answer.length);
      return answer;
    },
    listen: async (channel, heard) => {
      listening = await own.listen(channel, isDeaf ? () => undefined : heard);
      listens += 1;
      return listening;
    },
  };
  const clock = {
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted === true) resolve();
        sleepers.add(resolve);
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const router = {
    told: [] as string[],
    versions: [] as number[],
    ran,
    rows,
    log: new RecordingLog(),
    proxy,
    tick: () => {
      for (const wake of sleepers) wake();
      sleepers.clear();
    },
    loseListener: () => listening?.close(),
    listens: () => listens,
  };
  return { router, database, clock };
}
