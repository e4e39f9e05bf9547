import type { DatabaseSync } from 'node:sqlite';
import type { Backlog, Unfinished } from '../../delivery-storage.ts';
import { accept } from './accept.ts';
import type { Operations, Witness } from './calls.ts';
import { claim } from './claim.ts';
import { addEventFunctions } from './event-functions.ts';
import { eraseUsers } from './erase-users.ts';
import { logOperations } from './log-operations.ts';
import { createNames } from './names.ts';
import { query } from './query.ts';
import { record } from './record.ts';
import { replayOperations } from './replay-operations.ts';
import { createSeen } from './seen.ts';
import { purge } from './purge.ts';

/** The operations of the store on an open database. Each runs within the transaction of its group. */
export function createOperations(database: DatabaseSync): { operations: Operations; witness: Witness } {
  addEventFunctions(database);
  const names = createNames(database);
  const seen = createSeen(database);
  const operations = {
    accept: accept(database, names, seen),
    claim: claim(database, names),
    record: record(database, names),
    release: release(database),
    recover: recover(database),
    backlog: backlog(database),
    unfinished: unfinished(database),
    ...logOperations(database, names),
    ...replayOperations(database, names),
    purge: purge(database, seen),
    eraseUsers: eraseUsers(database),
  };
  const witness = {
    committing: () => seen.committing(),
    committed: () => seen.committed(),
    rolledBack: () => {
      seen.rolledBack();
      names.forget();
    },
  };
  return { operations, witness };
}

function release(database: DatabaseSync): Operations['release'] {
  const free = database.prepare("UPDATE deliveries SET state = 'pending' WHERE id = ? AND state = 'trying'");
  return (deliveries) => {
    for (const delivery of deliveries) free.run(delivery);
  };
}

function recover(database: DatabaseSync): Operations['recover'] {
  // Their rounds stay counted: they may have been sent, and a delivery that ends the process must not be endless.
  const free = database.prepare(`
    UPDATE deliveries SET state = 'pending', due_at = ?1, window_from = window_from - max(0, set_at - ?1), set_at = ?1
    WHERE state = 'trying'`);
  // What was set in the future is due in the future too, and of the due times there is an index.
  const setBack = database.prepare(`
    UPDATE deliveries SET due_at = ?1, window_from = window_from - (set_at - ?1), set_at = ?1
    WHERE state = 'pending' AND due_at > ?1 AND set_at > ?1`);
  // Dated in the future they would never be forgotten, nor would what stands behind them.
  const redate = database.prepare('UPDATE seen SET seen_at = ?1 WHERE seen_at > ?1');
  return (now) => {
    setBack.run(now);
    redate.run(now);
    return Number(free.run(now).changes);
  };
}

function least(column: 'due_at' | 'window_from'): string {
  return `(SELECT min(${column}) FROM deliveries l WHERE l.state = 'pending' AND l.destination = d.destination)`;
}

function backlog(database: DatabaseSync): Operations['backlog'] {
  const waiting = query<Backlog>(
    database,
    `SELECT n.name AS destination, d.waiting, ${least('due_at')} AS nextDueAt, ${least('window_from')} AS oldestReceivedAt
     FROM (SELECT destination, count(*) AS waiting FROM deliveries WHERE state = 'pending' GROUP BY destination) d
     JOIN names n ON n.id = d.destination`,
  );
  return () => waiting.all();
}

/** An index holds all that is asked of what waits; what is being tried is bounded by what fits into memory (D-26). */
function unfinished(database: DatabaseSync): Operations['unfinished'] {
  const of = (state: Unfinished['state']): (() => Unfinished) => {
    const all = query<{ readonly count: number; readonly oldest: number | null }>(
      database,
      `SELECT count(*) AS count, min(window_from) AS oldest FROM deliveries WHERE state = '${state}'`,
    );
    return () => {
      const { count = 0, oldest = null } = all.get() ?? {};
      return { state, count, oldestReceivedAt: oldest ?? undefined };
    };
  };
  const [pending, trying] = [of('pending'), of('trying')];
  return () => [pending(), trying()];
}
