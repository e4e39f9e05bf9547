import type { Tile } from '../profile-storage.ts';

type RowOf<Kind extends Tile['kind']> = Omit<Extract<Tile, { kind: Kind }>, 'kind' | 'measure'>;

export type AmountRow = RowOf<'amounts'>;
export type ValueRow = RowOf<'values'>;

export interface EndRow {
  readonly hour: number;
  readonly first_at: number;
  readonly first_message: string;
  readonly first_json: string;
  readonly last_at: number;
  readonly last_message: string;
  readonly last_json: string;
}

/** What is read of a table of tiles to make the tiles of a profile: its columns, and a row of them. */
export const AMOUNTS = {
  columns: ['hour', 'events', 'numbers', 'total', 'lowest', 'highest'],
  /** The bounds of one number are that number. */
  row: `hour, events AS count, numbers, total AS sum,
    coalesce(lowest, CASE WHEN numbers > 0 THEN total END) AS min,
    coalesce(highest, CASE WHEN numbers > 0 THEN total END) AS max`,
} as const;
export const VALUES = { columns: ['hour', 'value', 'events'], row: 'hour, value, events AS count' } as const;
const END = ['hour', 'first_at', 'first_message', 'first_json', 'last_at', 'last_message', 'last_json'] as const;
export const ENDS = { columns: END, row: END.join(', ') } as const;

export interface TileRows {
  readonly amounts: readonly AmountRow[];
  readonly values: readonly ValueRow[];
  readonly ends: readonly EndRow[];
}

export function tilesOfRows(measure: string, { amounts, values, ends }: TileRows): Tile[] {
  return [
    ...amounts.map((row): Tile => ({ measure, kind: 'amounts', ...row })),
    ...values.map((row): Tile => ({ measure, kind: 'values', ...row })),
    ...ends.map((row): Tile => {
      const first = { at: row.first_at, messageId: row.first_message, value: row.first_json };
      const last = { at: row.last_at, messageId: row.last_message, value: row.last_json };
      return { measure, hour: row.hour, kind: 'ends', first, last };
    }),
  ];
}
