import { dayOf } from '../../audiences/hours.ts';
import type { Aggregate, Measured, TileKind } from '../../audiences/plan.ts';
import { LIST_BYTES, MOST_VALUES, ROUNDED, TILE_KINDS } from '../../audiences/plan.ts';
import { attributedSql, type TileTable } from './attributed-sql.ts';
import type { Comparing } from './comparison-sql.ts';

export interface MeasuredScope extends Comparing {
  /** The number of a measure; 0 for one that has no tiles. */
  readonly measureOf: (id: string) => number;
}

interface TilesOf {
  readonly table: TileTable;
  readonly columns: readonly string[];
}

const TILES: Readonly<Record<TileKind, TilesOf>> = {
  amounts: { table: 'amounts', columns: ['day', 'events', 'numbers', 'total', 'lowest', 'highest'] },
  values: { table: 'counted_values', columns: ['value', 'events'] },
  ends: {
    table: 'ends',
    columns: ['first_at', 'first_message', 'first_json', 'last_at', 'last_message', 'last_json'],
  },
};

/** Databases call what is left of the smallest numbers when they are divided an error: it is nothing anyway. */
const AVERAGE = 'CASE WHEN abs(sum(total)) < 1e-100 THEN 0.0 ELSE sum(total) / sum(numbers) END';

const HAS_NUMBERS = 'HAVING sum(numbers) > 0';

/** What each aggregate makes of the tiles of a profile: SQL of rows `profile`, `value`, without those where there is none. */
const VALUES: Readonly<Record<Aggregate, (tiles: string, ofNone: Measured['ofNone']) => string>> = {
  count: grouped('sum(events)'),
  days: grouped('count(DISTINCT day)'),
  sum: (tiles, ofNone) => grouped(rounded('sum(total)'), ofNone === 'zero' ? '' : HAS_NUMBERS)(tiles),
  avg: grouped(rounded(AVERAGE), HAS_NUMBERS),
  min: grouped('min(CASE WHEN numbers > 0 THEN coalesce(lowest, total) END)', HAS_NUMBERS),
  max: grouped('max(CASE WHEN numbers > 0 THEN coalesce(highest, total) END)', HAS_NUMBERS),
  first: foremost('first_json', 'first_at, first_message'),
  last: foremost('last_json', 'last_at DESC, last_message DESC'),
  distinct: grouped(
    `CASE WHEN count(DISTINCT value) > ${MOST_VALUES} THEN ${MOST_VALUES} ELSE count(DISTINCT value) END`,
  ),
  most_frequent: (tiles) =>
    foremost(
      'value',
      'times DESC, value',
    )(`SELECT profile, value, sum(events) AS times FROM (${tiles}) t GROUP BY profile, value`),
  list: (tiles) => `SELECT profile, '[' || string_agg(value, ',' ORDER BY value) || ']' AS value FROM (
    SELECT profile, value, sum(octet_length(value) + 1) OVER (PARTITION BY profile ORDER BY value) AS bytes
    FROM (SELECT DISTINCT profile, value FROM (${tiles}) t) v) p WHERE bytes < ${LIST_BYTES} GROUP BY profile`,
};

/** Whether the values of an aggregate are JSON; else they are numbers. */
export function isJson(aggregate: Aggregate): boolean {
  return ['first', 'last', 'most_frequent', 'list'].includes(aggregate);
}

/** Rows `profile`, `value` of those who have tiles of the measure in these hours. */
export function measuredSql({ measure, aggregate, hours, ofNone }: Measured, scope: MeasuredScope): string {
  const { table, columns } = TILES[TILE_KINDS[aggregate]];
  const where = `t.measure = ${scope.parameters.add(scope.measureOf(measure))} AND ${withinSql(hours, scope)}`;
  return VALUES[aggregate](attributedSql(table, columns, where), ofNone);
}

/** Rows `value`, as JSON, of one profile, of rows `tiles` of the measure with these columns: as a run finds it. */
export function ownValueSql(
  { aggregate, hours, ofNone }: Omit<Measured, 'measure'>,
  profile: string,
  scope: Comparing,
): { readonly table: TileTable; readonly columns: readonly string[]; readonly sql: string } {
  const { table, columns } = TILES[TILE_KINDS[aggregate]];
  const own = `SELECT * FROM tiles t WHERE t.profile = ${profile} AND ${withinSql(hours, scope)}`;
  const sql = `SELECT ${jsonSql(aggregate, scope)} AS value FROM (${VALUES[aggregate](own, ofNone)}) v`;
  return { table, columns: [...new Set(['day', 'hour', ...columns])], sql };
}

/** What its row says; undefined where the value is missing. */
export function ownValue(found: { readonly value: string } | undefined, { ofNone }: Pick<Measured, 'ofNone'>): unknown {
  if (found !== undefined) return JSON.parse(found.value);
  return ofNone === 'zero' ? 0 : undefined;
}

function withinSql({ from, to }: Measured['hours'], { parameters }: Comparing): string {
  const add = (value: number): string => parameters.add(value);
  const since = from === undefined ? '' : `t.day >= ${add(dayOf(from))} AND t.hour >= ${add(from)} AND `;
  return `${since}t.day <= ${add(dayOf(to))} AND t.hour <= ${add(to)}`;
}

/** The column `value` of an aggregate as JSON. */
export function jsonSql(aggregate: Aggregate, { dialect }: Comparing): string {
  return isJson(aggregate) ? 'value' : dialect.json('value');
}

function grouped(value: string, having = ''): (tiles: string) => string {
  return (tiles) => `SELECT profile, ${value} AS value FROM (${tiles}) t GROUP BY profile ${having}`;
}

function foremost(value: string, order: string): (tiles: string) => string {
  return (tiles) => `SELECT profile, value FROM (
    SELECT profile, ${value} AS value, row_number() OVER (PARTITION BY profile ORDER BY ${order}) AS place
    FROM (${tiles}) t) p WHERE place = 1`;
}

/**
 * So that the order of addition does not matter: to six decimals, or to as many as numbers of that size have. Rounding what is
 * larger would move it, as would scaling what has no room for it.
 */
function rounded(number: string): string {
  const tiers = ROUNDED.map(
    ({ below, scale }) => `WHEN abs(${number}) < ${below}.0 THEN floor(${number} * ${scale}.0 + 0.5) / ${scale}.0`,
  );
  return `CASE ${tiers.join(' ')} ELSE ${number} END`;
}
