import { attributedSql } from '../attributed-sql.ts';

export const TILE_TABLES = ['amounts', 'counted_values', 'ends'] as const;

export type TileTable = (typeof TILE_TABLES)[number];

/**
 * A query over the tiles of some holders, with `profile`: parameters are the measure, the holders as a list in JSON, and what else
 * the query has. Tiles of a holder stand nowhere together, so each day is looked at in which the measure has any.
 */
export function overTilesOf(table: TileTable, columns: readonly string[], select: string): string {
  const day = (pick: 'min' | 'max'): string => `(SELECT ${pick}(day) FROM ${table} WHERE measure = ?1)`;
  const days = `SELECT ${day('min')} AS day UNION ALL SELECT day + 1 FROM days WHERE day < ${day('max')}`;
  const where = 't.measure = ?1 AND t.day IN (SELECT day FROM days) AND t.holder IN (SELECT value FROM json_each(?2))';
  return `WITH RECURSIVE days (day) AS (${days}), tiles AS (${attributedSql(table, columns, where)}) ${select}`;
}
