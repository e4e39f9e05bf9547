import type { DatabaseSync } from 'node:sqlite';
import type { Sync } from '../../../model/sync.ts';
import { SYNC_COLUMNS, syncOf, type SyncRow } from '../../sync-rows.ts';
import type { Operations } from '../../verbs.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';

/** What may be of very many computations. */
export interface SyncsInParts {
  /** Of one computation, or of those behind a number. */
  openSyncs(of: { readonly computation?: string; readonly behind?: number }): OpenSyncs;
}

/** A part of those that there are; `next` is behind which number to go on. */
export interface OpenSyncs {
  readonly syncs: readonly Sync[];
  readonly next: number | undefined;
}

type SyncOperations = SyncsInParts &
  Pick<Operations, 'listSyncs' | 'getSync' | 'startSync' | 'computedSync' | 'endSync'>;

const SYNC = `SELECT ${SYNC_COLUMNS} FROM syncs s JOIN names n ON n.id = s.computation`;

/** One sync, by the number of its computation; undefined when there is none. */
export type FindSync = (computation: number, number: number) => Sync | undefined;

export function findSync(database: DatabaseSync): FindSync {
  const one = query<SyncRow>(database, `${SYNC} WHERE s.computation = ? AND s.number = ?`);
  return (computation, number) => {
    const row = one.get(computation, number);
    return row === undefined ? undefined : syncOf(row);
  };
}

export function syncOperations(database: DatabaseSync, names: Names): SyncOperations {
  const find = findSync(database);
  const page = query<SyncRow>(
    database,
    `${SYNC} WHERE s.computation = ? AND s.number < ? ORDER BY s.number DESC LIMIT ?`,
  );
  return {
    openSyncs: open(database, names),
    listSyncs: ({ computations, before = Number.MAX_SAFE_INTEGER, limit }) =>
      computations.flatMap((computation) => page.all(names.find(computation), before, limit).map(syncOf)),
    getSync: ({ computation, number }) => find(names.find(computation), number),
    startSync: start(database, names, find),
    computedSync: computed(database, names, find),
    endSync: end(database, names, find),
  };
}

/** So many computations are looked at in one call: some milliseconds. */
const COMPUTATIONS = 1_000;
/** From one computation to the next by the index, as each may have very many syncs. Of those behind ?1 up to ?2. */
const OF_ONE = `of_one (computation) AS (
  SELECT (SELECT min(computation) FROM syncs WHERE computation > ?1 AND computation <= ?2)
  UNION ALL
  SELECT (SELECT min(s.computation) FROM syncs s WHERE s.computation > of_one.computation AND s.computation <= ?2)
  FROM of_one WHERE of_one.computation IS NOT NULL
)`;

function open(database: DatabaseSync, names: Names): SyncOperations['openSyncs'] {
  const lastOfPart = query<{ readonly computation: number | null }>(
    database,
    `WITH RECURSIVE ${OF_ONE} SELECT computation FROM of_one LIMIT 1 OFFSET ${COMPUTATIONS - 1}`,
  );
  // From one sync that has tellings to the next in the same way.
  const all = query<SyncRow>(
    database,
    `WITH RECURSIVE ${OF_ONE}, one_of_sync (delivery) AS (
       SELECT (SELECT delivery FROM tellings WHERE computation > ?1 AND computation <= ?2
         ORDER BY computation, sync LIMIT 1)
       UNION ALL
       SELECT coalesce(
         (SELECT s.delivery FROM tellings s WHERE s.computation = t.computation AND s.sync > t.sync ORDER BY s.sync LIMIT 1),
         (SELECT c.delivery FROM tellings c WHERE c.computation > t.computation AND c.computation <= ?2
          ORDER BY c.computation, c.sync LIMIT 1))
       FROM one_of_sync CROSS JOIN tellings t USING (delivery)
     ), open (computation, number) AS (
       SELECT computation, (SELECT max(s.number) FROM syncs s WHERE s.computation = of_one.computation) FROM of_one
       UNION SELECT computation, number FROM syncs WHERE state = 'RUNNING' AND computation > ?1 AND computation <= ?2
       UNION SELECT t.computation, t.sync FROM one_of_sync CROSS JOIN tellings t USING (delivery)
     ) SELECT ${SYNC_COLUMNS} FROM open CROSS JOIN syncs s USING (computation, number)
     CROSS JOIN names n ON n.id = s.computation ORDER BY s.computation, s.number`,
  );
  return ({ computation, behind = 0 }) => {
    if (computation !== undefined) {
      const id = names.find(computation);
      return { syncs: all.all(id - 1, id).map(syncOf), next: undefined };
    }
    const next = lastOfPart.get(behind, Number.MAX_SAFE_INTEGER)?.computation ?? undefined;
    return { syncs: all.all(behind, next ?? Number.MAX_SAFE_INTEGER).map(syncOf), next };
  };
}

function start(database: DatabaseSync, names: Names, find: FindSync): SyncOperations['startSync'] {
  const last = query<{ readonly number: number; readonly state: string }>(
    database,
    'SELECT number, state FROM syncs WHERE computation = ? ORDER BY number DESC LIMIT 1',
  );
  const insert = database.prepare(`
    INSERT INTO syncs (computation, number, state, started_at, progress, sent, delivered, failed, expired, superseded, held)
    VALUES (?, ?, 'RUNNING', ?, ?, 0, 0, 0, 0, 0, 0)`);
  return ({ computation, now }) => {
    const id = names.idOf(computation);
    const { number, state } = last.get(id) ?? { number: 0, state: '' };
    const next = state === 'RUNNING' ? number : number + 1;
    if (next > number) insert.run(id, next, now, JSON.stringify({ destinations: [] }));
    const sync = find(id, next);
    if (sync === undefined) throw new Error('a sync that was just stored cannot be found');
    return sync;
  };
}

function computed(database: DatabaseSync, names: Names, find: FindSync): SyncOperations['computedSync'] {
  const note = database.prepare(
    "UPDATE syncs SET computed = ?, progress = ? WHERE computation = ? AND number = ? AND state = 'RUNNING'",
  );
  return ({ computation, number, counts, basis, destinations }) => {
    const id = names.idOf(computation);
    const found = [JSON.stringify({ ...counts, basis }), JSON.stringify({ destinations })];
    return note.run(...found, id, number).changes > 0 ? find(id, number) : undefined;
  };
}

function end(database: DatabaseSync, names: Names, find: FindSync): SyncOperations['endSync'] {
  // It has no use for its place any more, which names a user.
  const note = database.prepare(`
    UPDATE syncs SET state = ?, reason = ?, ended_at = ?, progress = json_remove(progress, '$.after')
    WHERE computation = ? AND number = ? AND state = 'RUNNING'`);
  return ({ computation, number, state, reason = null, now }) => {
    const id = names.idOf(computation);
    note.run(state, reason, now, id, number);
    return find(id, number);
  };
}
