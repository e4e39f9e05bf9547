import type { Database, Transactions } from '../../storage/postgres/connection/database.ts';
import { reads } from '../../storage/postgres/connection/statement.ts';

/** Pages of the tables and indexes of this schema that the connection has looked at. */
const LOOKED_AT = reads(
  '',
  `SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::bigint AS pages FROM pg_class
   WHERE relnamespace = to_regnamespace(current_schema())`,
);

export interface Weighed {
  readonly database: Database;
  /** From now on, pages are counted; `stop` answers how many a call of each statement looked at, on average. */
  weigh(): { stop(): ReadonlyMap<string, number> };
}

/** The same database, which can count what statements that are transactions of their own look at. */
export function weighed(database: Database): Weighed {
  let weights: Map<string, number[]> | undefined;
  const weighing = (queries: Transactions): Transactions => ({
    ...queries,
    run(statement, values = []) {
      if (statement.name === '' || weights === undefined) return queries.run(statement, values);
      const into = weights;
      return queries.transaction(async (own) => {
        const lookedAt = async (): Promise<number> =>
          (await own.run<{ readonly pages: number }>(LOOKED_AT))[0]?.pages ?? 0;
        const before = await lookedAt();
        const rows = await own.run<never>(statement, values);
        into.set(statement.name, [...(into.get(statement.name) ?? []), (await lookedAt()) - before]);
        return rows;
      });
    },
  });
  return {
    database: { ...database, ...weighing(database), urgent: weighing(database.urgent) },
    weigh() {
      const own = new Map<string, number[]>();
      weights = own;
      return {
        stop() {
          weights = undefined;
          return new Map(
            [...own].map(([name, calls]) => [name, calls.reduce((sum, pages) => sum + pages, 0) / calls.length]),
          );
        },
      };
    },
  };
}
