import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { migrateDatabase } from '../../storage/postgres/migrations/migrate.ts';

export interface PostgresPlace extends AsyncDisposable {
  /** Of its schema, as WAYBILL_STORAGE has it. */
  readonly url: string;
  readonly database: Database;
  /** The same for a superuser, who may change tables and functions. */
  readonly superuser: Database;
  /** Another of the first, as one more router opens it, who closes it. */
  open(): Database;
}

/** On a server, whose URL ends where its parameters begin: a schema of its own without tables, or even the schema, for a superuser; it goes with what is made there. */
export async function emptySchema(server: string): Promise<PostgresPlace> {
  const schema = `t_${randomBytes(8).toString('hex')}`;
  const url = `${server}schema=${schema}&pool=5`;
  const database = openDatabase(readAddress(url));
  return {
    url,
    database,
    superuser: database,
    open: () => openDatabase(readAddress(url)),
    [Symbol.asyncDispose]: async () => {
      await database.run(script(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
      await database.close();
    },
  };
}

/** A schema with all tables, for a role that may do no more than the manual grants it. */
export async function schemaWithTables(server: string): Promise<PostgresPlace> {
  await using opened = new AsyncDisposableStack();
  const { url, superuser } = opened.use(await emptySchema(server));
  await superuser.run(script(grantsOf(superuser.schema)));
  await migrateAs(`${ROLE}_owner`, url);
  const address = { ...readAddress(url), user: `${ROLE}_router` };
  const open = (): Database => openDatabase(address);
  const database = open();
  opened.defer(() => database.close());
  const all = opened.move();
  return { url: urlAs(address.user, url), database, superuser, open, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const MANUAL = new URL('../../../docs/postgresql.md', import.meta.url);
const ROLE = 'waybill';

/** What the manual says a superuser does, for another schema; the roles are there once. */
export function grantsOf(schema: string): string {
  const [, sql = ''] = /```sql\n([^`]+)```/.exec(readFileSync(MANUAL, 'utf8')) ?? [];
  return sql
    .replaceAll(/SCHEMA waybill\b/g, `SCHEMA ${schema}`)
    .replaceAll(/CREATE ROLE [^;]+;/g, (make) => `DO $$ BEGIN ${make} ${IF_THERE} END $$;`);
}

const IF_THERE = 'EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;';

async function migrateAs(role: string, url: string): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const database = openDatabase({ ...readAddress(url), user: role });
  opened.defer(() => database.close());
  await migrateDatabase(database);
}

export function urlAs(role: string, url: string): string {
  return url.replace(/\/\/\w+@/, `//${role}@`);
}
