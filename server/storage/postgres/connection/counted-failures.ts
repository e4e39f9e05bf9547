import { StoreUnavailable } from '../../config-store.ts';
import { OutcomeUnknown } from '../../errors.ts';
import type { Database, Queries, Transactions } from './database.ts';

export interface CountedFailures {
  readonly database: Database;
  /** How many statements and transactions failed for what is no fault of theirs. */
  readonly failures: () => number;
}

/** The same database, whose failures are counted; but for what looks at all profiles, which may just take too long. */
export function countedFailures(database: Database): CountedFailures {
  let failures = 0;
  const counted = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) failures += 1;
      throw error;
    }
  };
  const counting = (own: Transactions): Transactions => ({
    run: <Row>(...asked: Parameters<Queries['run']>) => counted(own.run<Row>(...asked)),
    // What fails within it fails all of it.
    transaction: (work) => counted(own.transaction(work)),
  });
  return {
    database: { ...database, ...counting(database), urgent: counting(database.urgent) },
    failures: () => failures,
  };
}
