import type pg from 'pg';
import { StoreUnavailable } from '../../config-store.ts';
import { StorageUnusable } from '../../errors.ts';
import type { Deadlines } from './deadline.ts';
import { driver } from './driver.ts';

const TOLD_TO_READ =
  'default_transaction_read_only is on, for the role (ALTER ROLE … RESET), the database (ALTER DATABASE … RESET) or all (postgresql.conf)';
/** PostgreSQL 15. */
const OLDEST_SERVER = 150_000;
/** Those that keep every character; the second stores bytes as they come. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];

/**
 * Whatever is looked up or read in an order has an index for it, which is used however empty the table seems to be. So a join
 * with what has none is a loop over all of it: large sets are grouped, or looked up as `(x IN (SELECT …)) IS TRUE`.
 */
const NO_SCANS = {
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
  enable_nestloop: 'on',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * What texts, lists, comparisons and warnings mean, and that numbers are read back as they are: as the server has it by default. Rows that
 * a policy hides are an error: what waits there would wait for ever.
 */
const MEANINGS = {
  row_security: 'off',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  extra_float_digits: '1',
  TimeZone: 'UTC',
  // By a warning the server says that no standby has what it answers as committed.
  client_min_messages: 'warning',
};

/**
 * What every connection is set to, whatever the server, the database or the role has. Plans follow from the statement
 * alone, never from what statistics say of the moment. The server ends by itself what takes too long, well before our
 * own deadline: then it is known that nothing holds. It looks whether we are still there while it works for us.
 */
function pinned(schema: string, { answerMs, idleMs }: Deadlines): Readonly<Record<string, string>> {
  return {
    search_path: `${driver().escapeIdentifier(schema)}, pg_temp`,
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
    ...NO_SCANS,
    default_transaction_isolation: 'read committed',
    statement_timeout: `${Math.ceil(answerMs * 0.5)}ms`,
    lock_timeout: `${Math.ceil(answerMs * 0.4)}ms`,
    idle_in_transaction_session_timeout: `${idleMs}ms`,
    // Connections that nobody needs are given back, and those that hear are silent for long.
    idle_session_timeout: '0',
    client_connection_check_interval: '2s',
    ...MEANINGS,
  };
}

/** A commit is on disk, and on the synchronous standby, before it is answered; a stricter setting stays. */
const SYNCHRONOUS = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`;

/** Since version 17: the steps of a migration, and what looks at all profiles, have times of their own. */
const UNHURRIED = `CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
  THEN set_config('transaction_timeout', '0', false) END`;

export interface ServerState {
  readonly version: number;
  readonly versionText: string;
  readonly isStandby: boolean;
  readonly readOnly: boolean;
  /** Of the database. */
  readonly encoding: string;
}

/** Readies a new connection, in one round trip. Rejects where this server cannot be worked with. */
export async function prepareConnection(client: pg.PoolClient, schema: string, deadlines: Deadlines): Promise<void> {
  const settings = Object.entries(pinned(schema, deadlines));
  const sets = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  const { rows } = await client.query<ServerState>({
    text: `SELECT ${[...sets, SYNCHRONOUS, UNHURRIED].join(', ')}, current_setting('server_version_num')::int AS version,
      current_setting('server_version') AS "versionText", current_setting('server_encoding') AS encoding,
      pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "readOnly"`,
    values: settings.flat(),
  });
  const [server] = rows;
  const refusal = server === undefined ? new StoreUnavailable('the server did not say what it is') : refusalOf(server);
  if (refusal !== undefined) throw refusal;
}

/** Why a server cannot be worked with; undefined when it can. */
export function refusalOf({ version, versionText, isStandby, readOnly, encoding }: ServerState): Error | undefined {
  if (version < OLDEST_SERVER)
    return new StorageUnusable(`PostgreSQL ${versionText} is too old: Waybill needs version 15 or newer`);
  if (!ENCODINGS.includes(encoding))
    return new StorageUnusable(
      `the database has the encoding ${encoding}, which lacks characters of events: use one with UTF8`,
    );
  if (isStandby) return new StoreUnavailable('the server is read-only: it is a standby');
  return readOnly ? new StoreUnavailable(`the server is read-only: ${TOLD_TO_READ}`) : undefined;
}
