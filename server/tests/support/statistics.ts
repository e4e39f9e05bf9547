import type { Database } from '../../storage/postgres/connection/database.ts';
import { script } from '../../storage/postgres/connection/statement.ts';

/** Statistics are made of this schema when a test asks, and not of others, whose tests run beside it on the same server. */
export async function analyze(database: Database): Promise<void> {
  await eachTable(database, 'AND NOT relispartition', "'ANALYZE ' || one");
}

/** Until a test asks, there are none: plans are those of a database that was just made. */
export async function withoutAutovacuum(database: Database): Promise<void> {
  await eachTable(database, "AND relkind = 'r'", "'ALTER TABLE ' || one || ' SET (autovacuum_enabled = false)'");
}

async function eachTable(database: Database, which: string, statement: string): Promise<void> {
  const each = `DO $$ DECLARE one text; BEGIN
    FOR one IN SELECT oid::regclass FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ${which} LOOP
      EXECUTE ${statement};
    END LOOP; END $$`;
  await database.run(script(each));
}
