import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown, StaleRouting } from '../../storage/errors.ts';
import { countedFailures } from '../../storage/postgres/connection/counted-failures.ts';
import type { Database, Transactions } from '../../storage/postgres/connection/database.ts';
import { writes } from '../../storage/postgres/connection/statement.ts';

const STATEMENT = writes('any', 'SELECT 1');

/** A database of which every statement fails with this. */
function failing(error: Error): Database {
  const queries: Transactions = {
    run: () => Promise.reject(error),
    transaction: (work) => work(queries),
  };
  return {
    ...queries,
    urgent: queries,
    patient: queries,
    listen: () => Promise.reject(error),
    refusePooler: () => Promise.reject(error),
    timeline: () => 0,
    reached: () => undefined,
    shown: 'database',
    pool: 10,
    schema: 'public',
    close: () => Promise.resolve(),
  };
}

test.each([
  [new StoreUnavailable('gone'), 1],
  [new OutcomeUnknown('silent'), 1],
  [new StaleRouting('older'), 0],
])('CFG-20: of what fails with %s, %i are counted, whichever way it was asked', async (error, each) => {
  const { database, failures } = countedFailures(failing(error));
  const asks = [
    () => database.run(STATEMENT),
    () => database.transaction((queries) => queries.run(STATEMENT)),
    () => database.urgent.run(STATEMENT),
  ];
  for (const [index, ask] of asks.entries()) {
    await expect(ask()).rejects.toBe(error);
    expect(failures()).toBe((index + 1) * each);
  }
  await expect(database.patient.run(STATEMENT)).rejects.toBe(error);
  expect(failures()).toBe(3 * each);
});
