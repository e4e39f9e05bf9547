import type { DatabaseSync } from 'node:sqlite';
import type { ErasureRequest } from '../../job-storage.ts';
import { query } from './query.ts';

interface Place {
  readonly computation: number;
  readonly destination: number;
}

/** Where an erasure goes on as long as it is not with the deliveries. */
const PLACE = /^told (\d+) (\d+)$/;
const BEGINNING: Place = { computation: 0, destination: 0 };

/**
 * Removes what was told of users by the computations of a scope, of one computation to one destination in each step. The first
 * lets those find out who are about to tell something of them. Answers where the erasure goes on; undefined: with the deliveries.
 */
export function eraseTold(
  database: DatabaseSync,
): (request: Pick<ErasureRequest, 'scope' | 'userIds' | 'after'>) => string | undefined {
  const begin = beginErasure(database);
  const next = nextPlace(database);
  const remove = database.prepare('DELETE FROM told WHERE computation = ? AND destination = ? AND user_id = ?');
  return ({ scope, userIds, after }) => {
    if (after === undefined) begin(userIds);
    const from = after === undefined ? BEGINNING : placeIn(after);
    const place = from && next(from, scope);
    if (place === undefined) return undefined;
    const { computation, destination } = place;
    for (const user of userIds) remove.run(computation, destination, user);
    return `told ${computation} ${destination}`;
  };
}

function placeIn(after: string): Place | undefined {
  const [, computation, destination] = PLACE.exec(after) ?? [];
  return computation === undefined ? undefined : { computation: Number(computation), destination: Number(destination) };
}

/** A sync that has come to one of them begins its destination anew, in which only what is not told yet is told. */
function beginErasure(database: DatabaseSync): (userIds: readonly string[]) => void {
  const count = database.prepare('UPDATE erasures SET count = count + 1');
  const goBack = database.prepare(`
    UPDATE syncs SET progress = json_remove(progress, '$.after')
    WHERE state = 'RUNNING' AND progress ->> '$.after' IN (SELECT value FROM json_each(?))`);
  return (userIds) => {
    count.run();
    goBack.run(JSON.stringify(userIds));
  };
}

/** So many names are looked at in one step: a workspace may have had any number of audiences, whose names stay. */
const NAMES = 1_000;

/** By the names of the computations of a scope, as others may have any number of them; where none of so many told anything, behind the last. */
function nextPlace(database: DatabaseSync): (after: Place, scope: string) => Place | undefined {
  const behind = query<Place>(
    database,
    `WITH own AS (SELECT id FROM names
       WHERE name > coalesce((SELECT name FROM names WHERE id = ?2), ?1 || '/audiences/') AND name < ?1 || '/computed-traits0'
       ORDER BY name LIMIT ${NAMES}),
     places (computation, destination) AS (
       SELECT ?2, (SELECT min(destination) FROM told WHERE computation = ?2 AND destination > ?3)
       UNION ALL SELECT id, (SELECT min(destination) FROM told WHERE computation = own.id) FROM own
       UNION ALL SELECT * FROM (SELECT id, ${Number.MAX_SAFE_INTEGER} FROM own LIMIT 1 OFFSET ${NAMES - 1}))
     SELECT computation, destination FROM places WHERE destination IS NOT NULL LIMIT 1`,
  );
  return (after, scope) => behind.get(scope, after.computation, after.destination);
}
