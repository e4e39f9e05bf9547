import type { SqliteOperations } from '../../server/storage/file/deliveries/calls.ts';
import type { Engine } from '../../server/storage/file/deliveries/serve.ts';
import type { CrashPoint } from './crash-points.ts';

/** What is about to be committed, by the points that its commit lies between. */
type Moment = 'accept' | 'claim' | 'record' | 'purge' | 'join';

/** What the transaction that is open has changed so far. */
interface Changes {
  readonly moments: Set<Moment>;
  isMoreToDelete: boolean;
}

/**
 * The engine of the delivery store, which passes the crash points around its commits. An operation that changed nothing
 * passes none.
 */
export function dyingEngine(
  { database, space, format, operations, witness }: Engine,
  pass: (point: CrashPoint) => void,
): Engine {
  const changes: Changes = { moments: new Set(), isMoreToDelete: false };
  const commit = (): void => {
    for (const moment of changes.moments) pass(`${moment}:before-commit`);
    database.exec('COMMIT');
    for (const moment of changes.moments) if (moment !== 'purge') pass(`${moment}:after-commit`);
    if (changes.isMoreToDelete) pass('purge:between-deletions');
  };
  return {
    format,
    witness,
    space,
    operations: { ...operations, ...noting(operations, changes) },
    database: {
      exec: (sql) => {
        if (sql === 'COMMIT') return commit();
        changes.moments.clear();
        changes.isMoreToDelete = false;
        database.exec(sql);
      },
      prepare: (sql) => database.prepare(sql),
      get isTransaction() {
        return database.isTransaction;
      },
      close: () => database.close(),
    },
  };
}

function noting(operations: SqliteOperations, changes: Changes): Pick<SqliteOperations, Moment> {
  const note = <Result>(moment: Moment, result: Result, hasChanged: boolean): Result => {
    if (hasChanged) changes.moments.add(moment);
    return result;
  };
  return {
    accept: (rows) => note('accept', operations.accept(rows), rows.names.length > 0),
    claim: (request) => {
      const claimed = operations.claim(request);
      return note('claim', claimed, claimed.claims.length > 0);
    },
    record: (rounds) => note('record', operations.record(rounds), rounds.length > 0),
    purge: (request) => {
      const purged = operations.purge(request);
      changes.isMoreToDelete = purged.next !== undefined;
      return note('purge', purged, purged.deliveries > 0);
    },
    join: (request) => {
      const membership = operations.join(request);
      return note('join', membership, membership.freed > 0);
    },
  };
}
