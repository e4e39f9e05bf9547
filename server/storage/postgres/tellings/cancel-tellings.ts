import { StoreUnavailable } from '../../config-store.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';

/** As the record of a round ends it; its own sync counts it when it settles. */
const CANCEL = writes(
  'cancel_tellings',
  `WITH found AS MATERIALIZED (
     SELECT waits.tid FROM unnest($1::bigint[]) one (id),
       LATERAL (SELECT ctid AS tid FROM queue t WHERE t.id = one.id OFFSET 0) waits
   ), gone AS (
     DELETE FROM queue t USING found f WHERE t.ctid = f.tid RETURNING t.*
   ), ended AS (
     INSERT INTO log (id, message, destination, state, round, earlier_rounds, received_at, ended_at, bytes, type, event, user_id, line)
     SELECT id, message, destination, 'cancelled', round, earlier_rounds, received_at, $2, bytes, type, event, user_id, line
     FROM gone
   ), counted AS (
     INSERT INTO counts (hour, destination, what, node, count)
     SELECT $2 - $2 % 3600000, destination, 'cancelled', 0, count(*) FROM gone GROUP BY destination
     ON CONFLICT (destination, hour, what, node) DO UPDATE SET count = counts.count + excluded.count
   )
   SELECT DISTINCT line FROM gone WHERE line IS NOT NULL`,
);
const UNENDED = reads(
  'unended_tellings',
  `SELECT one.id, false AS "isTrying" FROM unnest($1::bigint[]) one (id),
     LATERAL (SELECT FROM queue t WHERE t.id = one.id OFFSET 0) waits
   UNION ALL SELECT one.id, true FROM unnest($1::bigint[]) one (id),
     LATERAL (SELECT FROM tries t WHERE t.id = one.id OFFSET 0) tried`,
);
/** How often a delivery may move while it is being cancelled. */
const MAX_MOVES = 10;

export interface Cancelled {
  /** What is being tried, and goes on. */
  readonly trying: ReadonlySet<number>;
  /** Lines in which something was cancelled. */
  readonly lines: readonly number[];
}

/** Cancels what waits of these deliveries. What moves meanwhile is found again in the table that it has come to. */
export async function cancelTellings(queries: Queries, deliveries: readonly number[], now: number): Promise<Cancelled> {
  const lines = new Set<number>();
  let waiting = deliveries;
  for (let move = 0; waiting.length > 0; move += 1) {
    if (move > MAX_MOVES)
      throw new StoreUnavailable(`${waiting.length} calls could not be cancelled: they keep moving`);
    const ended = await queries.run<{ readonly line: number }>(CANCEL, [numbers(waiting), now]);
    for (const { line } of ended) lines.add(line);
    const unended = await queries.run<{ readonly id: number; readonly isTrying: boolean }>(UNENDED, [
      numbers(deliveries),
    ]);
    waiting = unended.filter(({ isTrying }) => !isTrying).map(({ id }) => id);
    if (waiting.length === 0) return { trying: new Set(unended.map(({ id }) => id)), lines: [...lines] };
  }
  return { trying: new Set(), lines: [] };
}
