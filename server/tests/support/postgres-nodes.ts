import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { openPostgresStorage } from '../../storage/postgres/open-postgres-storage.ts';
import { eachVerb, type Verbs } from '../../storage/verbs.ts';
import type { DatabaseTime } from '../../storage/postgres/time.ts';
import type { Storage } from '../../storage/storage.ts';
import { postgresPlace } from './postgres-place.ts';
import type { PostgresPlace } from './postgres-schema.ts';

/** The clock of the database stands still, and is moved by tests. */
const STILL_CLOCK = `
CREATE TABLE test_clock (ms bigint NOT NULL);
INSERT INTO test_clock VALUES (0);
GRANT SELECT ON test_clock TO PUBLIC;
CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT ms FROM test_clock';
`;
const SET_CLOCK = writes('set_clock', 'UPDATE test_clock SET ms = $1');
const EMPTY_SLOT = writes('empty_slot', 'SELECT empty_next_slot()');

export interface OpenNode {
  readonly verbs: Verbs;
  close(): Promise<void>;
}

export type Spoil = (database: Database) => Database;

export interface NodeOptions {
  /** Default: the clock of the node is that of the database. */
  readonly time?: DatabaseTime;
  /** Default: one on which nobody wakes. */
  readonly clock?: Pick<Clock, 'steady' | 'sleep'>;
  readonly spoil?: Spoil;
}

/** A schema of its own, on whose clock it is `now`, and which any number of nodes can have open. */
export interface PostgresNodes extends AsyncDisposable {
  /** For looks at what is stored. */
  readonly database: Database;
  /** For what routers may not do: to change tables. */
  readonly superuser: Database;
  open(node: string, options?: NodeOptions): Promise<OpenNode>;
  /** What the clock reads. */
  now(): number;
  advance(ms: number): Promise<void>;
  /** What routers do from time to time. */
  emptySlot(): Promise<void>;
  /** How many rows a table has, or those of it that a condition chooses. */
  count(rows: string): Promise<number>;
}

/** A place whose clock stands still: on the server of the run, where no other is given. */
export async function stillPlace(on: Promise<PostgresPlace> = postgresPlace()): Promise<PostgresPlace> {
  const place = await on;
  await place.superuser.run(script(STILL_CLOCK));
  return place;
}

export async function postgresNodes(now: number, on: Promise<PostgresPlace> = stillPlace()): Promise<PostgresNodes> {
  const place = await on;
  const opened: Storage[] = [];
  let at = now;
  const set = (): Promise<unknown> => place.superuser.run(SET_CLOCK, [at]);
  await set();
  return {
    database: place.database,
    superuser: place.superuser,
    async open(node, { time = sameTime(() => at), clock = waits(), spoil = (own: Database) => own } = {}) {
      const database = spoil(place.open());
      const storage = await openPostgresStorage({ database, time, clock, log: SILENT, node });
      opened.push(storage);
      return { verbs: verbsOf(storage, place.database), close: () => storage.close() };
    },
    now: () => at,
    async advance(ms) {
      at += ms;
      await set();
    },
    emptySlot: async () => void (await place.database.run(EMPTY_SLOT)),
    async count(rows) {
      const [row] = await place.database.run<{ readonly count: number }>(
        reads('', `SELECT count(*) AS count FROM ${rows}`),
      );
      return row?.count ?? NaN;
    },
    async [Symbol.asyncDispose]() {
      for (const storage of opened) await storage.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

function verbsOf({ deliveries, log, counting, usedIds, jobs, members, tellings }: Storage, database: Database): Verbs {
  const missing = eachVerb((verb) => () => Promise.reject(new Error(`the engine has no ${verb}`)));
  const readInbox: Verbs['readInbox'] = ({ after, limit }) => database.run(READ_INBOX, [after, limit]);
  return { ...missing, ...deliveries, ...log, ...counting, ...usedIds, ...jobs, ...members, ...tellings, readInbox };
}

/** What the profiles of this engine take themselves. */
const READ_INBOX = reads(
  '',
  `SELECT i.id, n.name AS source, i.caught FROM inbox i JOIN names n ON n.id = i.source WHERE i.id > $1 ORDER BY i.id LIMIT $2`,
);

/** The node's clock is the database's. */
function sameTime(now: () => number): DatabaseTime {
  return {
    now,
    steady: now,
    toDatabase: same,
    fromDatabase: same,
    measure: measuredTheSame,
    steps: () => [],
    adopt: () => undefined,
  };
}

const same = (at: number): number => at;
const measuredTheSame: DatabaseTime['measure'] = async (ask) => {
  await ask();
  return false;
};

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Nothing is done by time alone, and some time passes whenever somebody looks. */
function waits(): Pick<Clock, 'steady' | 'sleep'> {
  let now = 0;
  return { steady: () => (now += 100), sleep: (_ms, signal) => aborted(signal) };
}

/** Where there is no signal, never. */
export function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The first answer to each statement of this name is lost: after it held, or before anybody heard of it. */
export function losingAnswers(name: string, when: 'after' | 'before' = 'after'): Spoil {
  const lost = new Set<string>();
  return (database) => ({
    ...database,
    async run<Row>(statement: Statement, values: readonly unknown[] = []) {
      const call = JSON.stringify(values);
      if (![name, `${name}_wary`].includes(statement.name) || lost.has(call))
        return database.run<Row>(statement, values);
      if (when === 'after') await database.run(statement, values);
      lost.add(call);
      throw new OutcomeUnknown('the answer was lost');
    },
  });
}

/** Statements of this name are done, and commit once `until` has resolved. */
export function committingLate(name: string, until: Promise<void>, done: () => void): Spoil {
  return (database) => ({
    ...database,
    run<Row>(statement: Statement, values: readonly unknown[] = []) {
      if (statement.name !== name) return database.run<Row>(statement, values);
      return database.transaction(async (queries) => {
        const rows = await queries.run<Row>(statement, values);
        done();
        await until;
        return rows;
      });
    },
  });
}
