import { afterAll } from 'vitest';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { driver } from '../../storage/postgres/connection/driver.ts';
import { reads, script, type Statement } from '../../storage/postgres/connection/statement.ts';
import { postgresPlace } from './postgres-place.ts';
import type { PostgresPlace } from './postgres-schema.ts';

const TABLES = reads(
  '',
  `SELECT quote_ident(relname) AS name FROM pg_class
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
);
const SEQUENCES = reads(
  '',
  `SELECT quote_ident(sequencename) AS name, coalesce(last_value, start_value)::text AS value, last_value IS NOT NULL AS called
   FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`,
);

interface Kept {
  readonly place: PostgresPlace;
  /** Leaves what was there when it was made, and the tables of days. */
  readonly empty: Statement;
  /** Databases of routers that were closed, with their connections. */
  readonly closed: Database[];
}

/**
 * Places for the tests of a file, which use them in turn: to make one, and connections to it, costs several times what it takes to
 * empty it. Who changes tables or functions needs one of its own.
 */
export function keptPlaces(make: () => Promise<PostgresPlace> = postgresPlace): () => Promise<PostgresPlace> {
  const free: Kept[] = [];
  afterAll(() => Promise.all(free.map((kept) => end(kept))));
  return async () => {
    const kept = free.pop() ?? (await keep(await make()));
    const giveBack = async (): Promise<void> => {
      await kept.place.superuser.run(kept.empty);
      free.push(kept);
    };
    return {
      ...kept.place,
      open: () => opened(kept),
      [Symbol.asyncDispose]: () =>
        giveBack().catch(async (error: unknown) => end(kept).then(() => Promise.reject(error))),
    };
  };
}

async function keep(place: PostgresPlace): Promise<Kept> {
  return { place, closed: [], empty: script(await emptying(place.superuser)) };
}

async function end({ place, closed }: Kept): Promise<void> {
  for (const database of closed) await database.close();
  await place[Symbol.asyncDispose]();
}

/** Of one that was closed before, or another. */
function opened({ place, closed }: Kept): Database {
  const database = closed.pop() ?? place.open();
  return { ...database, close: async () => void closed.push(database) };
}

/** Statements that take out all that comes later. */
async function emptying(database: Database): Promise<string> {
  const statements: string[] = [];
  for (const { name } of await database.run<{ readonly name: string }>(TABLES)) {
    const [table] = await database.run<{ readonly rows: string | null }>(
      script(`SELECT json_agg(one)::text AS rows FROM ${name} one`),
    );
    statements.push(`DELETE FROM ${name}`);
    if (typeof table?.rows !== 'string') continue;
    const rows = `json_populate_recordset(NULL::${name}, ${driver().escapeLiteral(table.rows)})`;
    statements.push(`INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM ${rows}`);
  }
  for (const { name, value, called } of await database.run<Sequence>(SEQUENCES))
    statements.push(`SELECT setval('${name}', ${value}, ${called})`);
  return statements.join(';\n');
}

interface Sequence {
  readonly name: string;
  readonly value: string;
  readonly called: boolean;
}
