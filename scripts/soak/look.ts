import { type Database } from '../../server/storage/postgres/connection/database.ts';
import { reads, script } from '../../server/storage/postgres/connection/statement.ts';

/** What the database holds at a moment. */
export interface Look {
  readonly databaseMb: number;
  /** Of the tables whose rows change all the time. */
  readonly hotMb: number;
  /** Rows that are no more, and not vacuumed yet. */
  readonly dead: number;
  /** Of all tables, since the start. */
  readonly vacuums: number;
  /** Pages that are read to find, from the very beginning, what is due first in the queue through which most go. */
  readonly headPages: number;
}

const HOT = ['queue', 'tries', 'counts', 'nodes', 'leases'];
const TABLES = reads(
  '',
  `SELECT pg_database_size(current_database()) AS size,
     (SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables WHERE relname = ANY($1::text[]))::bigint AS hot,
     (SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname = ANY($1::text[]))::bigint AS dead,
     (SELECT sum(autovacuum_count) FROM pg_stat_user_tables)::bigint AS vacuums`,
);
const MB = 1e6;

interface TablesRow {
  readonly size: number;
  readonly hot: number;
  readonly dead: number;
  readonly vacuums: number;
}

interface Plan {
  readonly 'QUERY PLAN': readonly {
    readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
  }[];
}

export async function lookAt(database: Database, destination: string): Promise<Look> {
  const [row] = await database.run<TablesRow>(TABLES, [HOT]);
  if (row === undefined) throw new Error('the database did not say how large it is');
  return {
    databaseMb: row.size / MB,
    hotMb: row.hot / MB,
    dead: row.dead,
    vacuums: row.vacuums,
    headPages: await headPages(database, destination),
  };
}

function headPages(database: Database, destination: string): Promise<number> {
  return database.transaction(async (queries) => {
    await queries.run(
      script(`PREPARE head AS SELECT id FROM queue WHERE destination = (SELECT id FROM names WHERE name = '${destination}')
        ORDER BY destination, due_at, id LIMIT 1`),
    );
    const [row] = await queries.run<Plan>(reads('', 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE head'));
    await queries.run(script('DEALLOCATE head'));
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
  });
}

/** A transaction that sees the database as it is now, and does nothing more until it is let go. */
export interface Held {
  letGo(): Promise<void>;
}

/** Nothing that ends from now on can be vacuumed away. */
export async function hold(database: Database): Promise<Held> {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = database.transaction(async (queries) => {
    await queries.run(
      script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET idle_in_transaction_session_timeout = 0'),
    );
    await queries.run(reads('', 'SELECT count(*) FROM queue'));
    begun.resolve();
    await end.promise;
  });
  await Promise.race([begun.promise, held]);
  return {
    async letGo() {
      end.resolve();
      await held;
    },
  };
}
