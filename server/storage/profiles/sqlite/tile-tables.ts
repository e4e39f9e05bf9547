import { attributedSql } from '../attributed-sql.ts';

export const TILE_TABLES = ['amounts', 'counted_values', 'ends'] as const;

export type TileTable = (typeof TILE_TABLES)[number];

/**
 * A query over the tiles of some holders, with `profile`: parameters are the measure, the holders as a list in JSON, and what else
 * the query has. Tiles of a holder stand nowhere together, so each day is looked at in which the measure has any, from one to the
 * next: a single event may claim to be of the year 1.
 */
export function overTilesOf(table: TileTable, columns: readonly string[], select: string): string {
  const first = `SELECT min(day) AS day FROM ${table} WHERE measure = ?1`;
  const next = `SELECT min(n.day) FROM ${table} n WHERE n.measure = ?1 AND n.day > days.day`;
  const days = `${first} UNION ALL SELECT (${next}) FROM days WHERE days.day IS NOT NULL`;
  const where = 't.measure = ?1 AND t.day IN (SELECT day FROM days) AND t.holder IN (SELECT value FROM json_each(?2))';
  return `WITH RECURSIVE days (day) AS (${days}), tiles AS (${attributedSql(table, columns, where)}) ${select}`;
}
