import { attributedSql } from '../../profiles/attributed-sql.ts';
import type { TileTable } from '../../profiles/sqlite/tile-tables.ts';

/**
 * A query over the tiles of some holders, with `profile`: parameters are the measure, the holders, and what else the query has.
 * Tiles of a holder stand nowhere together, so each day is looked at in which the measure has any.
 */
export function overTilesOf(table: TileTable, columns: readonly string[], select: string): string {
  const day = (pick: 'min' | 'max'): string => `(SELECT ${pick}(day) FROM ${table} WHERE measure = $1)`;
  const days = `ARRAY(SELECT generate_series(${day('min')}, ${day('max')}))`;
  const where = `t.measure = $1 AND t.day = ANY(${days}) AND t.holder = ANY($2::bigint[])`;
  return `WITH tiles AS (${attributedSql(table, columns, where)}) ${select}`;
}
