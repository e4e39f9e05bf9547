import type { DatabaseSync } from 'node:sqlite';
import type { Backlog } from '../../delivery-storage.ts';
import type { Operations } from '../../verbs.ts';
import { query } from './query.ts';

export function backlogOperations(database: DatabaseSync): Pick<Operations, 'backlog' | 'countBacklog' | 'trying'> {
  return { backlog: backlog(database), countBacklog: countBacklog(database), trying: trying(database) };
}

const WAITS = "FROM deliveries WHERE state = 'pending'";

function least(column: 'due_at' | 'window_from'): string {
  return `(SELECT min(${column}) ${WAITS} AND destination = n.id)`;
}

const FOUND = `n.id, n.name AS destination, ${least('due_at')} AS nextDueAt, ${least('window_from')} AS oldestReceivedAt`;

type Found = Backlog & { readonly id: number };

/** From one destination to the next, by the index: it takes as long however much waits. */
function backlog(database: DatabaseSync): Operations['backlog'] {
  const waiting = query<Found>(
    database,
    `WITH RECURSIVE queues (destination) AS (
       SELECT min(destination) ${WAITS} AND destination > ?
       UNION ALL
       SELECT (SELECT min(destination) ${WAITS} AND destination > queues.destination) FROM queues
       WHERE destination IS NOT NULL LIMIT ?
     )
     SELECT ${FOUND} FROM queues CROSS JOIN names n ON n.id = queues.destination`,
  );
  return ({ after = '0', limit }) => {
    const rows = waiting.all(Number(after), limit);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return { queues: rows.map(({ id: _id, ...queue }) => queue), next: last && String(last.id) };
  };
}

/** The last delivery that was counted. */
interface Place {
  readonly destination: number;
  readonly dueAt: number;
  readonly id: number;
}

/** A page ends at a place in the index, within a queue as well. */
function countBacklog(database: DatabaseSync): Operations['countBacklog'] {
  const found = query<Found>(
    database,
    `SELECT ${FOUND} FROM names n WHERE n.name IN (SELECT value FROM json_each(?)) AND n.id >= ? ORDER BY n.id`,
  );
  const behind = `${WAITS} AND destination = :destination AND (due_at, id) > (:dueAt, :id)`;
  const end = query<Place>(
    database,
    `SELECT destination, due_at AS dueAt, id ${behind} ORDER BY due_at, id LIMIT 1 OFFSET :most - 1`,
  );
  const rest = query<{ readonly waiting: number }>(database, `SELECT count(*) AS waiting ${behind}`);
  return ({ destinations, after = '', limit }) => {
    const from = placeOf(after);
    const queues = [];
    let most = limit;
    for (const { id, ...queue } of found.all(JSON.stringify(destinations), from.destination)) {
      const begin = id === from.destination ? { ...from } : { destination: id, dueAt: 0, id: 0 };
      const last = end.get({ ...begin, most });
      const waiting = last === undefined ? (rest.get(begin)?.waiting ?? 0) : most;
      if (waiting > 0) queues.push({ ...queue, waiting });
      if (last !== undefined) return { queues, next: `${last.destination} ${last.dueAt} ${last.id}` };
      most -= waiting;
    }
    return { queues, next: undefined };
  };
}

function placeOf(after: string): Place {
  const [destination = 0, dueAt = 0, id = 0] = after.split(' ').map(Number);
  return { destination, dueAt, id };
}

function trying(database: DatabaseSync): Operations['trying'] {
  const all = query<{ readonly count: number; readonly oldest: number | null }>(
    database,
    "SELECT count(*) AS count, min(window_from) AS oldest FROM deliveries WHERE state = 'trying'",
  );
  return () => {
    const { count = 0, oldest = null } = all.get() ?? {};
    return { count, oldestReceivedAt: oldest ?? undefined };
  };
}
