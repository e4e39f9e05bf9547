import type { Sync } from '../../../model/sync.ts';
import { SYNC_COLUMNS, syncOf, type SyncRow } from '../../sync-rows.ts';
import type { TellingStorage } from '../../telling-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { numberOf } from '../log/columns.ts';
import type { TellingParts } from './telling-operations.ts';

const SYNC = `SELECT ${SYNC_COLUMNS} FROM syncs s, LATERAL (SELECT name FROM names WHERE id = s.computation OFFSET 0) n`;
/** Values: the number of the computation, and that of the sync, which may be asked for with more digits than the column has. */
const THIS = 'computation = $1 AND number = $2::bigint';
const GET = reads('get_sync', `${SYNC} WHERE s.computation = ${numberOf('$1')} AND s.number = $2::bigint`);
const LIST = reads(
  'list_syncs',
  `SELECT ${SYNC_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY asked (name, place), LATERAL (SELECT id, name FROM names WHERE name = asked.name OFFSET 0) n,
     LATERAL (SELECT * FROM syncs WHERE computation = n.id AND number < $2::bigint ORDER BY number DESC LIMIT $3) s
   ORDER BY asked.place, s.number DESC`,
);
/** So many computations are looked at by one statement: some tens of milliseconds. */
const COMPUTATIONS = 1_000;
const ON_PAGE = 'computation <= (SELECT max(computation) FROM page)';
/**
 * From one computation to the next, and from one sync that has tellings to the next, by the indexes. Of those behind $1 up to $2, the
 * first `COMPUTATIONS`. What is found is looked up one by one: a join of it with all syncs is made by comparing each with each.
 */
const OPEN = reads(
  'open_syncs',
  `WITH RECURSIVE one AS (
     (SELECT computation FROM syncs WHERE computation > $1 AND computation <= $2 ORDER BY computation LIMIT 1)
     UNION ALL
     SELECT next.computation FROM one, LATERAL (SELECT computation FROM syncs WHERE computation > one.computation AND computation <= $2
       ORDER BY computation LIMIT 1) next
   ), page AS MATERIALIZED (SELECT computation FROM one LIMIT ${COMPUTATIONS}
   ), told AS (
     (SELECT computation, sync FROM tellings WHERE computation > $1 AND ${ON_PAGE} ORDER BY computation, sync LIMIT 1)
     UNION ALL
     SELECT next.* FROM told, LATERAL (SELECT computation, sync FROM tellings
       WHERE (computation, sync) > (told.computation, told.sync) AND ${ON_PAGE}
       ORDER BY computation, sync LIMIT 1) next
   ), open AS MATERIALIZED (
     SELECT computation, (SELECT max(number) FROM syncs m WHERE m.computation = page.computation) AS number FROM page
     UNION SELECT computation, number FROM syncs
       WHERE state = 'RUNNING' AND computation > $1 AND ${ON_PAGE}
     UNION SELECT computation, sync FROM told
   ) SELECT ${SYNC_COLUMNS}, s.computation AS place FROM open,
     LATERAL (SELECT * FROM syncs WHERE computation = open.computation AND number = open.number OFFSET 0) s,
     LATERAL (SELECT name FROM names WHERE id = s.computation OFFSET 0) n ORDER BY s.computation, s.number`,
);
const START = writes(
  'start_sync',
  `INSERT INTO syncs (computation, number, state, started_at, progress, sent, delivered, failed, expired, superseded, held)
   SELECT $1, coalesce((SELECT max(number) FROM syncs WHERE computation = $1), 0) + 1, 'RUNNING', $2, $3, 0, 0, 0, 0, 0, 0
   WHERE NOT EXISTS (SELECT FROM syncs WHERE computation = $1 AND state = 'RUNNING') ON CONFLICT DO NOTHING`,
);
const RUNNING = reads('running_sync', `${SYNC} WHERE s.computation = $1 AND s.state = 'RUNNING'`);
const COMPUTED = writes(
  'computed_sync',
  `UPDATE syncs SET computed = $3, progress = $4 WHERE ${THIS} AND state = 'RUNNING' RETURNING number`,
);
/** It has no use for its place any more, which names a user. */
const END = writes(
  'end_sync',
  `UPDATE syncs SET state = $3, reason = $4, ended_at = $5, progress = (progress::jsonb - 'after')::text
   WHERE ${THIS} AND state = 'RUNNING'`,
);

type SyncVerbs = Pick<TellingStorage, 'openSyncs' | 'listSyncs' | 'getSync' | 'startSync' | 'computedSync' | 'endSync'>;

export function syncVerbs({ database, names }: Pick<TellingParts, 'database' | 'names'>): SyncVerbs {
  const get: SyncVerbs['getSync'] = ({ computation, number }) => getSync(database, computation, number);
  return {
    async openSyncs(of) {
      if (of === undefined) return openSyncs(database, 0, MOST);
      await names.add([of.computation]);
      const id = names.idOf(of.computation);
      return openSyncs(database, id - 1, id);
    },
    listSyncs: async ({ computations, before = MOST, limit }) =>
      (await database.run<SyncRow>(LIST, [computations, before, limit])).map(syncOf),
    getSync: get,
    async startSync({ computation, now }) {
      await names.add([computation]);
      const id = names.idOf(computation);
      for (;;) {
        await database.run(START, [id, now, JSON.stringify({ destinations: [] })]);
        const [row] = await database.run<SyncRow>(RUNNING, [id]);
        if (row !== undefined) return syncOf(row);
      }
    },
    async computedSync({ computation, number, counts, basis, destinations }) {
      await names.add([computation]);
      const noted = await database.run(COMPUTED, [
        names.idOf(computation),
        number,
        JSON.stringify({ ...counts, basis }),
        JSON.stringify({ destinations }),
      ]);
      return noted.length > 0 ? get({ computation, number }) : undefined;
    },
    async endSync({ computation, number, state, reason = null, now }) {
      await names.add([computation]);
      await database.run(END, [names.idOf(computation), number, state, reason, now]);
      return get({ computation, number });
    },
  };
}

/** A page of computations after the other; each of them has one row at least. */
async function openSyncs(queries: Queries, behind: number, upTo: number): Promise<readonly Sync[]> {
  const rows = await queries.run<SyncRow & { readonly place: number }>(OPEN, [behind, upTo]);
  const syncs = rows.map(({ place: _place, ...row }) => syncOf(row));
  const last = rows.length < COMPUTATIONS ? undefined : rows.at(-1);
  return last === undefined ? syncs : [...syncs, ...(await openSyncs(queries, last.place, upTo))];
}

/** The greatest number that these columns hold. */
const MOST = 2 ** 31 - 1;

export async function getSync(queries: Queries, computation: string, number: number): Promise<Sync | undefined> {
  const [row] = await queries.run<SyncRow>(GET, [computation, number]);
  return row === undefined ? undefined : syncOf(row);
}
