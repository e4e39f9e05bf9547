import { COMPUTATION } from '../../../model/resource-names.ts';
import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';

/** Holds of a delivery with this type and message when an audience or computed trait tells something by it. */
export function isTelling(type: string, message: string): string {
  return `(${type} = 'identify' AND (SELECT (SELECT n.name FROM names n WHERE n.id = m.source) ~ '${COMPUTATION.source}'
    FROM messages m WHERE m.id = ${message}) IS TRUE)`;
}

/** Whoever tells something holds this too: what was told before is found, and who tells next finds what was revived. */
const HOLD = writes('hold_tellings', 'SELECT count FROM erasures FOR NO KEY UPDATE');
/** What somebody is just forgetting is not told any more. */
const STILL_TOLD = writes(
  'still_told',
  `SELECT one.id, told.still IS TRUE AS still FROM unnest($1::bigint[]) one (id),
     LATERAL (SELECT message, destination, user_id FROM log l WHERE l.id = one.id OFFSET 0) d,
     LATERAL (SELECT source FROM messages m WHERE m.id = d.message OFFSET 0) m
     LEFT JOIN LATERAL (SELECT true AS still FROM told t WHERE t.computation = m.source AND t.destination = d.destination
       AND t.user_id = d.user_id AND t.delivery = one.id FOR KEY SHARE SKIP LOCKED) told ON true`,
);

/** Until the end of the transaction, nothing is told; to be called before anything else is locked. */
export async function holdTellings(queries: Queries): Promise<void> {
  await queries.run(HOLD);
}

/** Which of these tellings are the last that their destinations were told; those that have not ended are left out. */
export async function stillTold(
  queries: Queries,
  deliveries: readonly number[],
): Promise<ReadonlyMap<number, boolean>> {
  const rows = await queries.run<{ readonly id: number; readonly still: boolean }>(STILL_TOLD, [numbers(deliveries)]);
  return new Map(rows.map(({ id, still }) => [id, still]));
}
