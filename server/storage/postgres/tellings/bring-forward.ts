import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';

/** The first of a line in which something was cancelled; one that was tried waits for its retry. */
const FIRST = `SELECT w.id, w.tries, line.line FROM unnest($2::bigint[]) line (line),
       LATERAL (SELECT id, tries FROM queue w WHERE w.destination = $1::integer AND w.line = line.line
         ORDER BY destination, line, window_from, id LIMIT 1) w`;
/** Answers the lines of which somebody else has the first: who is postponing it, or cancels it as well. */
const BRING_FORWARD = writes(
  'bring_forward',
  `WITH first AS MATERIALIZED (${FIRST}), free AS MATERIALIZED (
     SELECT q.tid, first.line FROM first,
       LATERAL (SELECT ctid AS tid FROM queue q WHERE q.id = first.id FOR NO KEY UPDATE SKIP LOCKED) q WHERE first.tries = 0
   ), changed AS (
     UPDATE queue q SET due_at = least(q.due_at, q.window_from) FROM free WHERE q.ctid = free.tid
   )
   SELECT line FROM first WHERE tries = 0 AND (line IN (SELECT line FROM free)) IS NOT TRUE`,
);
/** The same for one line, once nobody has its first: who waits has locked nothing, so that nobody waits in a circle. */
const BRING_FORWARD_LATER = writes(
  'bring_forward_later',
  `UPDATE queue q SET due_at = least(q.due_at, q.window_from) FROM (${FIRST}) first WHERE q.id = first.id AND q.tries = 0`,
);

/**
 * What was behind something that is cancelled waits for its end no more (HOOK-25). Answers the lines of which somebody else has
 * the next.
 */
export async function bringForward(
  queries: Queries,
  destination: number,
  lines: readonly number[],
): Promise<readonly number[]> {
  if (lines.length === 0) return [];
  const rows = await queries.run<{ readonly line: number }>(BRING_FORWARD, [destination, numbers(lines)]);
  return rows.map(({ line }) => line);
}

/** Of lines that were busy, after the commit. Whatever of it fails, a claim brings them later. */
export async function bringForwardLater(
  queries: Queries,
  destination: number,
  lines: readonly number[],
): Promise<void> {
  try {
    for (const line of lines) await queries.run(BRING_FORWARD_LATER, [destination, numbers([line])]);
  } catch {
    // It waits, for a minute at most.
  }
}
