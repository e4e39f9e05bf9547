import type { Log } from '../../../ports/log.ts';
import type { Database, Queries, Transactions } from './database.ts';
import { DatabaseUnfit } from './failures.ts';
import type { Statement } from './statement.ts';

/**
 * The same database, which tells the log of what makes this router useless: once for each reason, and once that a statement
 * is let through again, however many are refused meanwhile.
 */
export function tellingRefusals(database: Database, log: Log): Database {
  /** Why statements were refused when they were asked last. */
  const refused = new Map<string, string>();
  const note = ({ name }: Statement, reason: string): void => {
    const isKnown = [...refused.values()].includes(reason);
    refused.set(name, reason);
    if (!isKnown) log.error({ reason }, 'the database refuses what this router needs');
  };
  const forget = ({ name }: Statement): void => {
    const reason = refused.get(name);
    if (reason === undefined) return;
    refused.delete(name);
    if (![...refused.values()].includes(reason)) log.info({ reason }, 'the database no longer refuses it');
  };
  const telling = (queries: Queries): Queries => ({
    async run(statement, values) {
      try {
        const rows = await queries.run<never>(statement, values);
        if (refused.size > 0) forget(statement);
        return rows;
      } catch (error) {
        if (error instanceof DatabaseUnfit) note(statement, error.message);
        throw error;
      }
    },
  });
  const tellingAll = (queries: Transactions): Transactions => ({
    ...telling(queries),
    transaction: (work) => queries.transaction((own) => work(telling(own))),
  });
  return {
    ...database,
    ...tellingAll(database),
    urgent: tellingAll(database.urgent),
    patient: tellingAll(database.patient),
  };
}
