import { attributedSql } from '../../profiles/attributed-sql.ts';
import type { TileTable } from '../../profiles/sqlite/tile-tables.ts';

/**
 * A query over the tiles of some holders, with `profile`: parameters are the measure, the holders, and what else the query has.
 * Tiles of a holder stand nowhere together, so each day is looked at in which the measure has any, from one to the next: a
 * single event may claim to be of the year 1.
 */
export function overTilesOf(table: TileTable, columns: readonly string[], select: string): string {
  const next = (behind = ''): string => `SELECT day FROM ${table} WHERE measure = $1 ${behind} ORDER BY day LIMIT 1`;
  const days = `ARRAY(WITH RECURSIVE days AS (
    (${next()}) UNION ALL SELECT one.day FROM days, LATERAL (${next('AND day > days.day')}) one
  ) SELECT day FROM days)`;
  const where = `t.measure = $1 AND t.day = ANY(${days}) AND t.holder = ANY($2::bigint[])`;
  return `WITH tiles AS (${attributedSql(table, columns, where)}) ${select}`;
}
