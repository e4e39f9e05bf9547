import type { JobStorage } from '../../storage/job-storage.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { jobOperations } from '../../storage/postgres/jobs/job-operations.ts';
import { Names } from '../../storage/postgres/names.ts';
import type { PostgresPlace } from './postgres-schema.ts';

/** The jobs of a node whose clock is that of the database. */
export function jobsOf(database: Database, node = 'one'): JobStorage {
  return jobOperations({ database, names: new Names(database), time: { toDatabase: (at) => at }, node });
}

export async function opened({ database }: PostgresPlace): Promise<{ database: Database; jobs: JobStorage }> {
  await makeDays(database);
  return { database, jobs: jobsOf(database) };
}

/** How many rows a table has, or those of it that a condition chooses. */
export async function count(database: Database, table: string): Promise<number> {
  const [row] = await database.run<{ readonly count: number }>(reads('', `SELECT count(*) AS count FROM ${table}`));
  return row?.count ?? NaN;
}

export interface HeldTransaction {
  /** Commits. */
  end(): Promise<void>;
}

/** Runs statements in a transaction that stays open until it is told to end, on a connection of its own. */
export async function held({ url }: PostgresPlace, statements: string): Promise<HeldTransaction> {
  const database = openDatabase(readAddress(url));
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.transaction(async (queries) => {
    await queries.run(script(statements));
    begun.resolve();
    await over.promise;
  });
  await Promise.race([begun.promise, done]);
  return {
    end: async () => {
      over.resolve();
      await done;
      await database.close();
    },
  };
}
