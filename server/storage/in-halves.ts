import { messageOf } from '../thrown.ts';
import { NotStorable } from './errors.ts';

/** A row that the storage refuses, also alone. */
export interface RefusedRow<Row> {
  readonly row: Row;
  readonly reason: string;
}

/**
 * Stores rows together, as whoever asks does it. Where they are refused for what one of them holds, they are stored in halves, and
 * those again: it holds up none of the others. Answers those that are refused alone.
 */
export async function storeInHalves<Row>(
  rows: readonly Row[],
  store: (rows: readonly Row[]) => Promise<void>,
): Promise<readonly RefusedRow<Row>[]> {
  try {
    await store(rows);
    return [];
  } catch (error) {
    if (!(error instanceof NotStorable)) throw error;
    if (rows.length === 1) return rows.map((row) => ({ row, reason: messageOf(error) }));
    const half = Math.ceil(rows.length / 2);
    const refused = await storeInHalves(rows.slice(0, half), store);
    return [...refused, ...(await storeInHalves(rows.slice(half), store))];
  }
}
