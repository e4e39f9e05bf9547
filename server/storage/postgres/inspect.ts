import { type Address, readAddress } from './connection/address.ts';
import { type Database, openDatabase } from './connection/database.ts';
import { countKeys, type KeyCounts, keysOfRow, SEALED_FIELDS } from '../secrets/sealed-rows.ts';
import { reads } from './connection/statement.ts';
import { FORBIDDEN, type Named } from './missing.ts';
import { type DatabaseFormat, formatOf } from './migrations/migrate.ts';

/** What a server says of itself, as the role of a router sees it. */
export interface ServerFacts {
  readonly version: string;
  readonly role: string;
  /** Whether others on the network could read along. */
  readonly readable: boolean;
  /** Settings without which a commit may not survive a crash. */
  readonly unsafe: readonly string[];
  /** The standbys that a commit waits for, as they are configured; empty for none. */
  readonly standbys: string;
  /** How many connections there may be, over all who use the server. */
  readonly connections: number;
  /** How long the oldest transaction has been open, by which vacuum is held up. */
  readonly oldestTransactionMs: number;
  /** The same of those that were prepared, and belong to no connection. */
  readonly oldestPreparedMs: number;
  /** Replication slots that nobody reads, and for which the server keeps more of its log than it would. */
  readonly stuckSlots: readonly string[];
  /** How many transactions there were since the oldest that is not frozen. */
  readonly unfrozen: number;
}

export interface DatabaseState extends ServerFacts {
  readonly pool: number;
  readonly format: DatabaseFormat;
  /** Tables whose rows the role may not read and change. */
  readonly forbidden: readonly string[];
  /** Whether the role may make tables where they belong. */
  readonly mayMakeTables: boolean;
  /** Routers that live. */
  readonly routers: number;
  /** Of what stands; changes that are kept for other routers are left out. */
  readonly secrets: KeyCounts;
}

const FACTS = reads(
  'server_facts',
  `SELECT current_setting('server_version') AS version, current_user AS role,
    NOT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)
      AND inet_client_addr() IS DISTINCT FROM inet_server_addr() AS readable,
    ARRAY(SELECT name FROM unnest(ARRAY['fsync', 'full_page_writes']) name WHERE current_setting(name) <> 'on') AS unsafe,
    current_setting('synchronous_standby_names') AS standbys,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
    (SELECT coalesce(max(extract(epoch FROM now() - xact_start) * 1000), 0)::bigint FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS "oldestTransactionMs",
    (SELECT coalesce(max(extract(epoch FROM now() - prepared) * 1000), 0)::bigint FROM pg_prepared_xacts) AS "oldestPreparedMs",
    ARRAY(SELECT slot_name::text FROM pg_replication_slots WHERE NOT active AND wal_status <> 'reserved') AS "stuckSlots",
    (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()) AS unfrozen`,
);
const MAY_MAKE_TABLES = reads(
  'may_make_tables',
  `SELECT CASE WHEN to_regnamespace(quote_ident($1)) IS NULL THEN has_database_privilege(current_database(), 'CREATE')
    ELSE has_schema_privilege($1, 'CREATE') END AS allowed`,
);
const ROUTERS = reads('living_routers', 'SELECT count(*) AS count FROM nodes WHERE until > now_ms()');
const SECRETS = reads('sealed_rows', 'SELECT kind, body FROM resources WHERE kind = ANY ($1::text[])');

interface SealedRow {
  readonly kind: string;
  readonly body: unknown;
}

/** Looks at a database, and changes nothing. Rejects where it cannot be worked with. */
export async function inspectDatabase(url: string): Promise<DatabaseState> {
  const address = readAddress(url);
  const database = openDatabase(address);
  try {
    await database.refusePooler();
    return await stateOf(database, address);
  } finally {
    await database.close();
  }
}

async function stateOf(database: Database, { pool, schema }: Address): Promise<DatabaseState> {
  const [facts] = await database.run<ServerFacts>(FACTS);
  if (facts === undefined) throw new Error('the server tells nothing of itself');
  const forbidden = await database.run<Named>(FORBIDDEN, [schema]);
  const [may] = await database.run<{ readonly allowed: boolean }>(MAY_MAKE_TABLES, [schema]);
  const format = await formatOf(database);
  const isReadable = format.version > 0 && forbidden.length === 0;
  const [living] = isReadable ? await database.run<{ readonly count: number }>(ROUTERS) : [];
  const sealed = isReadable ? await database.run<SealedRow>(SECRETS, [Object.keys(SEALED_FIELDS)]) : [];
  return {
    ...facts,
    pool,
    format,
    forbidden: forbidden.map(({ name }) => name),
    mayMakeTables: may?.allowed === true,
    routers: living?.count ?? 0,
    secrets: countKeys(sealed.map(({ kind, body }) => keysOfRow(kind, body))),
  };
}
