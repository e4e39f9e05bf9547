import type { DatabaseSync } from 'node:sqlite';
import { isWithin } from '../../../model/resource-names.ts';
import type { ErasureRequest } from '../../job-storage.ts';
import type { Operations } from '../../verbs.ts';
import type { FreeSpace } from '../free-space/free-space.ts';
import { eraseTold } from './erase-told.ts';
import { examine, query } from './query.ts';
import { removeDelivery } from './purge.ts';

interface Candidate {
  readonly id: number;
  readonly message: number;
  readonly source: string;
  readonly userId: string;
  readonly previousId: string | null;
}

/** Where an erasure goes on once only what is free is left, up to which page, and how many pages one step looks at (4 MB). */
const FREE = /^free (\d+) (\d+)$/;
const PAGES = 1_000;

/** Bulk replays first, then what was told, then deliveries, and in the end what is left of all these where they stood. */
export function eraseUsers(database: DatabaseSync, space: Pick<FreeSpace, 'pages' | 'wipe'>): Operations['eraseUsers'] {
  const eraseNext = eraseRows(database);
  const wipe = (from: number, upTo: number): string | undefined => {
    space.wipe(from, PAGES);
    return from + PAGES > upTo ? undefined : `free ${from + PAGES} ${upTo}`;
  };
  return (request) => {
    const [, from, upTo] = FREE.exec(request.after ?? '') ?? [];
    if (from !== undefined) return { deliveries: 0, next: wipe(Number(from), Number(upTo)) };
    const { deliveries, next } = eraseNext(request);
    return { deliveries, next: next ?? `free 1 ${space.pages()}` };
  };
}

function eraseRows(database: DatabaseSync): Operations['eraseUsers'] {
  const candidates = query<Candidate>(
    database,
    `SELECT d.id, d.message, n.name AS source, d.user_id AS userId,
       CASE d.type WHEN 'alias' THEN field_of(m.event, 'previousId') END AS previousId
     FROM deliveries d JOIN messages m ON m.id = d.message JOIN names n ON n.id = m.source
     WHERE d.id > ? AND d.type <> 'delete' ORDER BY d.id LIMIT ?`,
  );
  const newest = query<{ id: number | null }>(database, 'SELECT max(id) AS id FROM deliveries');
  const remove = removeDelivery(database);
  const empty = emptyDelivery(database);
  const eraseNextTold = eraseTold(database);
  const eraseReplays = eraseReplaysOf(database);
  return ({ scope, userIds, now, after, limit }) => {
    const replays = replaysAt(scope, after);
    const next =
      (replays && eraseReplays({ scope, userIds }, replays)) ??
      eraseNextTold({ scope, userIds, after: replays === undefined ? after : undefined });
    if (next !== undefined) return { deliveries: 0, next };
    // What was told is behind it; deliveries are numbers.
    const rows = candidates.all(Number(after) || 0, limit);
    const of = new Set(userIds);
    const isTheirs = ({ source, userId, previousId }: Candidate): boolean =>
      isWithin(source, scope) && (of.has(userId) || (previousId !== null && of.has(previousId)));
    const newestId = newest.get()?.id;
    let deliveries = 0;
    const { last, isMore } = examine(rows, (row) => {
      if (!isTheirs(row)) return true;
      if (row.id === newestId) empty(row, now);
      else remove(row);
      deliveries += 1;
      return true;
    });
    return { deliveries, next: isMore || rows.length === limit ? String(last?.id) : undefined };
  };
}

/** A replay, or a destination that may have none behind it. */
interface ReplayPlace {
  readonly name: string;
  readonly id: number;
}

/** Where an erasure goes on as long as it is with the replays. */
const REPLAYS = /^replays (\d+) (.*)$/;

function replaysAt(scope: string, after: string | undefined): ReplayPlace | undefined {
  if (after === undefined) return { name: `${scope}/`, id: 0 };
  const [, id, name] = REPLAYS.exec(after) ?? [];
  return name === undefined ? undefined : { name, id: Number(id) };
}

/**
 * Bulk replays of one user, which name it: of those that run nothing is left to be sent again. By the names of a scope, as others may have
 * any number of replays; a name without one is a row as well, as those of destinations that are gone stay. Answers where the erasure goes on.
 */
function eraseReplaysOf(
  database: DatabaseSync,
): (of: Pick<ErasureRequest, 'scope' | 'userIds'>, from: ReplayPlace) => string | undefined {
  const behind = query<{ readonly name: string; readonly id: number | null; readonly userId: string | null }>(
    database,
    `SELECT n.name, j.id, j.filter ->> '$.userId' AS userId FROM names n LEFT JOIN replay_jobs j
       ON j.destination = n.id AND j.id > CASE n.name WHEN :name THEN :id ELSE 0 END
     WHERE n.name >= :name AND n.name < :scope || '0' ORDER BY n.name, j.id`,
  );
  const remove = database.prepare('DELETE FROM replay_jobs WHERE id = ?');
  return ({ scope, userIds }, from) => {
    const of = new Set(userIds);
    const gone: number[] = [];
    const { last, isMore } = examine(behind.each({ ...from, scope }), ({ id, userId }) => {
      if (id !== null && userId !== null && of.has(userId)) gone.push(id);
      return true;
    });
    for (const id of gone) remove.run(id);
    return isMore && last !== undefined ? `replays ${last.id ?? Number.MAX_SAFE_INTEGER} ${last.name}` : undefined;
  };
}

/**
 * The newest delivery stays without what it held, until retention takes it: its id, the highest, must not be given to
 * another while a round of it may be under way.
 */
function emptyDelivery(database: DatabaseSync): (delivery: Candidate, now: number) => void {
  const attempts = database.prepare('DELETE FROM attempts WHERE delivery = ?');
  const delivery = database.prepare(
    "UPDATE deliveries SET state = 'cancelled', ended_at = ?, user_id = '', event = '' WHERE id = ?",
  );
  const message = database.prepare('UPDATE messages SET event = emptied(event) WHERE id = ?');
  return (row, now) => {
    attempts.run(row.id);
    delivery.run(now, row.id);
    message.run(row.message);
  };
}
