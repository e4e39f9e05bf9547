import type { Claim } from '../../../model/delivery.ts';
import { claimFrom, type StoredClaim } from '../../stored-claim.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import { CARRIED } from './columns.ts';
import type { OwnLife } from './life.ts';

/** A delivery that was taken, as CLAIMS answers it: by the numbers of names and the database's clock. */
export interface TakenRow extends Omit<StoredClaim, 'source'> {
  readonly source: number;
  readonly destination: number;
}

/** A row of an answer, beside which there may be no delivery. */
export type RowBeside = Omit<TakenRow, 'delivery'> & { readonly delivery: number | null };

export function takenIn<Row extends RowBeside>(rows: readonly Row[]): readonly (Row & TakenRow)[] {
  return rows.filter((row): row is Row & TakenRow => row.delivery !== null);
}

/**
 * Whether a row of the queue is not the first of its line. A snapshot has each delivery in one of the tables. With `OFFSET`, no
 * version of the server reads the whole of `tries` into a hash instead.
 */
export const IS_BEHIND = `q.line IS NOT NULL AND (
  EXISTS (SELECT FROM tries t WHERE t.destination = q.destination AND t.line = q.line OFFSET 0)
  OR EXISTS (SELECT FROM queue e WHERE e.destination = q.destination AND e.line = q.line
    AND (e.window_from, e.id) < (q.window_from, q.id) OFFSET 0))`;

/**
 * Moves what `counted` has to what is being tried, and answers it as `claim`. Rows are found again by their place, whatever
 * statistics say.
 */
export function takingOf(counted: string, condition = 'true'): string {
  return `taken AS (
       DELETE FROM queue q USING ${counted} counted WHERE q.ctid = counted.tid AND (${condition}) RETURNING q.*, n
     ), kept AS (
       INSERT INTO tries (node, epoch, round, set_at, ${CARRIED})
       SELECT $1::integer, $2::bigint, round + 1, set_at, ${CARRIED} FROM taken
     )`;
}
export const CLAIMS = `SELECT taken.id AS delivery, taken.destination, m.source, taken.window_from AS "receivedAt", m.event,
         taken.round + 1 AS round, taken.tries, taken.earlier_rounds AS "earlierRounds", taken.closed, taken.line
       FROM taken, LATERAL (SELECT source, event FROM messages WHERE messages.id = taken.message OFFSET 0) m ORDER BY n`;

/** The least of what waits for a destination, and has not been `moved`. */
export function left(column: 'due_at' | 'window_from', destination: string, moved: string, condition = ''): string {
  return `(SELECT ${column} FROM queue WHERE destination = ${destination} ${condition}
    AND (id IN (SELECT id FROM ${moved})) IS NOT TRUE ORDER BY destination, ${column}, id LIMIT 1)`;
}

export function claimOf(
  row: TakenRow,
  destination: string,
  epoch: number,
  { names, life, time }: { readonly names: Names; readonly life: OwnLife; readonly time: DatabaseTime },
): Claim {
  const stored = { ...row, source: names.nameOf(row.source), receivedAt: time.fromDatabase(row.receivedAt) };
  return claimFrom(stored, { destination, node: life.node, epoch });
}
