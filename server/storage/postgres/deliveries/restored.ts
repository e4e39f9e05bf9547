import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';

/** So many commits at a time. */
const PAGE = 10_000;

/** Commits of transactions that this server has yet to begin, behind the place `$1`, `$2`; the last of them. */
const RENUMBER = writes(
  'renumber_commits',
  `WITH page AS MATERIALIZED (
     SELECT ctid AS tid, c.xact, c.id FROM commits c
     WHERE c.xact >= pg_snapshot_xmax(pg_current_snapshot()) AND (c.xact, c.id) > ($1::xid8, $2::bigint)
     ORDER BY c.xact, c.id LIMIT ${PAGE}
   ), renumbered AS (
     UPDATE commits SET xact = pg_current_xact_id() WHERE ctid = ANY(ARRAY(SELECT tid FROM page))
   )
   SELECT page.xact::text AS xact, page.id FROM page ORDER BY page.xact DESC, page.id DESC LIMIT 1`,
);
/** It is noted anew. */
const FORGET_HORIZONS = writes(
  'forget_horizons',
  'UPDATE nodes SET horizon = NULL WHERE horizon > pg_snapshot_xmax(pg_current_snapshot())',
);

interface Place {
  readonly xact: string;
  readonly id: number;
}

/**
 * A dump that was restored, and what came by logical replication, has the transaction ids of another server. Those that are yet to
 * come here would be read again each second (`known-ids.ts`), swept last, and waited for until they have passed (`free.ts`).
 */
export async function renumberRestored(queries: Queries): Promise<void> {
  await queries.run(FORGET_HORIZONS);
  for (let place: Place | undefined = { xact: '0', id: 0 }; place !== undefined;)
    [place] = await queries.run<Place>(RENUMBER, [place.xact, place.id]);
}
