import { messageOf } from '../thrown.ts';
import { NotStorable } from './errors.ts';

/** A row that the storage refuses, also alone. */
export interface RefusedRow<Row> {
  readonly row: Row;
  readonly reason: string;
}

/** What is not stored. */
export interface Unstored<Row> {
  readonly refused: readonly RefusedRow<Row>[];
  readonly untried: readonly Row[];
}

/** Where so many are refused alone, and none is stored, the storage refuses whatever it is given: the rest is not tried. */
const MOST_ALONE = 8;

/**
 * Stores rows together, as whoever asks does it. Where they are refused for what one of them holds, they are stored in halves, and
 * those again: it holds up none of the others.
 */
export async function storeInHalves<Row>(
  rows: readonly Row[],
  store: (rows: readonly Row[]) => Promise<void>,
): Promise<Unstored<Row>> {
  const refused: RefusedRow<Row>[] = [];
  const parts = [rows];
  let isAnyStored = false;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    try {
      await store(part);
      isAnyStored = true;
    } catch (error) {
      if (!(error instanceof NotStorable)) throw error;
      const half = Math.ceil(part.length / 2);
      if (part.length > 1) parts.unshift(part.slice(0, half), part.slice(half));
      else refused.push(...part.map((row) => ({ row, reason: messageOf(error) })));
      if (!isAnyStored && refused.length === MOST_ALONE) break;
    }
  }
  return { refused, untried: parts.flat() };
}
