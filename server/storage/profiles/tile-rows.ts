import { type Tile, TILES_BYTES } from '../profile-storage.ts';

type RowOf<Kind extends Tile['kind']> = Omit<Extract<Tile, { kind: Kind }>, 'kind' | 'measure'>;

interface Sized {
  /** Of this row and those before it. */
  readonly size: number;
}

export interface AmountRow extends RowOf<'amounts'>, Sized {}
export interface ValueRow extends RowOf<'values'>, Sized {}

export interface EndRow extends Sized {
  readonly hour: number;
  readonly first_at: number;
  readonly first_message: string;
  readonly first_json: string;
  readonly last_at: number;
  readonly last_message: string;
  readonly last_json: string;
}

/** What is read of a table of tiles to make the tiles of a profile: its columns, a row of them, and how large that is. */
export const AMOUNTS = {
  columns: ['hour', 'events', 'numbers', 'total', 'lowest', 'highest'],
  /** The bounds of one number are that number. */
  row: `hour, events AS count, numbers, total AS sum,
    coalesce(lowest, CASE WHEN numbers > 0 THEN total END) AS min,
    coalesce(highest, CASE WHEN numbers > 0 THEN total END) AS max`,
  size: '100',
} as const;
export const VALUES = {
  columns: ['hour', 'value', 'events'],
  row: 'hour, value, events AS count',
  size: '100 + octet_length(value)',
} as const;
const END = ['hour', 'first_at', 'first_message', 'first_json', 'last_at', 'last_message', 'last_json'] as const;
export const ENDS = {
  columns: END,
  row: END.join(', '),
  size: '100 + octet_length(first_json) + octet_length(last_json)',
} as const;

/** Of rows `tiles` those of a profile, until they are larger than that together, with the row by which they are. */
export function tilesSql({ row, size }: typeof AMOUNTS | typeof VALUES | typeof ENDS, profile: string): string {
  const sized = `SELECT ${row}, ${size} AS own,
    sum(${size}) OVER (ORDER BY hour ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS size
    FROM tiles WHERE profile = ${profile}`;
  return `SELECT * FROM (${sized}) t WHERE size - own <= ${TILES_BYTES} ORDER BY size`;
}

export interface TileRows {
  readonly amounts: readonly AmountRow[];
  readonly values: readonly ValueRow[];
  readonly ends: readonly EndRow[];
}

/** Tiles of several measures of a profile, as far as there is room for them. */
export class CollectedTiles {
  readonly tiles: Tile[] = [];
  #size = 0;

  /** Answers whether all that there is has had room. */
  add(measure: string, rows: TileRows): boolean {
    const sizes = [rows.amounts, rows.values, rows.ends].map((some) => some.at(-1)?.size ?? 0);
    this.#size += sizes.reduce((sum, one) => sum + one, 0);
    if (this.#size > TILES_BYTES) return false;
    this.tiles.push(...tilesOfRows(measure, rows));
    return true;
  }
}

function tilesOfRows(measure: string, { amounts, values, ends }: TileRows): Tile[] {
  return [
    ...amounts.map(({ hour, count, numbers, sum, min, max }): Tile => ({
      measure,
      kind: 'amounts',
      hour,
      count,
      numbers,
      sum,
      min,
      max,
    })),
    ...values.map(({ hour, value, count }): Tile => ({ measure, kind: 'values', hour, value, count })),
    ...ends.map((row): Tile => {
      const first = { at: row.first_at, messageId: row.first_message, value: row.first_json };
      const last = { at: row.last_at, messageId: row.last_message, value: row.last_json };
      return { measure, hour: row.hour, kind: 'ends', first, last };
    }),
  ];
}
