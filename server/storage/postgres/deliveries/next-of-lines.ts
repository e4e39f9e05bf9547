import type { Claim, RoundRecord } from '../../../model/delivery.ts';
import { writes } from '../connection/statement.ts';
import { type ClaimParts, claimOf, CLAIMS, IS_BEHIND, TAKEN, type TakenRow } from './claim.ts';
import { LIFE, numbers } from './columns.ts';

/**
 * The first of each line, of destinations `$3` and lines `$4`, unless one of it is being tried. It is chosen before it is
 * locked: what another has locked is its, and what comes behind that waits.
 */
const TAKE_NEXT = writes(
  'take_next',
  `WITH ${LIFE}, candidate AS MATERIALIZED (
     SELECT q.ctid AS tid FROM unnest($3::integer[], $4::bigint[]) line (destination, line),
       LATERAL (SELECT ctid, destination, line, window_from, id FROM queue w
         WHERE w.destination = line.destination AND w.line = line.line ORDER BY destination, line, window_from, id LIMIT 1) f
       JOIN queue q ON q.ctid = f.ctid
     WHERE EXISTS (SELECT FROM life) AND NOT (${IS_BEHIND}) FOR UPDATE OF q SKIP LOCKED
   ), counted AS MATERIALIZED (SELECT tid, 1 AS n, 0 AS bytes FROM candidate), ${TAKEN}
   ${CLAIMS}`,
);

/** Takes what comes next in the lines of deliveries that have ended. Whatever of it fails, a claim brings it later. */
export async function nextOfLines(parts: ClaimParts, ended: readonly RoundRecord[]): Promise<readonly Claim[]> {
  const { database, names, life } = parts;
  const inLine = ended.flatMap(({ destination, line }) => (line === undefined ? [] : [{ destination, line }]));
  if (inLine.length === 0) return [];
  const lines = new Map(inLine.map((one) => [`${one.line} ${one.destination}`, one]));
  try {
    const { id, epoch } = life.require();
    const all = [...lines.values()];
    const rows = await database.run<TakenRow & { readonly destination: number }>(TAKE_NEXT, [
      id,
      epoch,
      numbers(all.map(({ destination }) => names.idOf(destination))),
      numbers(all.map(({ line }) => line)),
      0,
    ]);
    await names.read(rows.map(({ source }) => source));
    return rows.map((row) => claimOf(row, names.nameOf(row.destination), epoch, parts));
  } catch {
    return [];
  }
}
