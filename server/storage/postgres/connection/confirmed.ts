import type { Queries, Transactions } from './database.ts';
import { CONFIRM, writes } from './statement.ts';

/** Is on the way of every commit, to the standby too. */
export const CONFIRMS = writes('confirm', `SELECT ${CONFIRM}`);

/**
 * A transaction that is answered once the synchronous standby has all that it saw, also where it wrote nothing. Who answers that nothing
 * is left to be done says it of the server after a failover too: what this one has deleted may be there again (NODE-1).
 */
export function confirmed<T>(
  database: Pick<Transactions, 'transaction'>,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  return database.transaction(async (queries) => {
    const result = await work(queries);
    await queries.run(CONFIRMS);
    return result;
  });
}
