import { dayOf } from '../../../audiences/hours.ts';
import { compareUsers } from '../../../audiences/user-order.ts';
import { attributedSql, type TileTable } from '../../profiles/attributed-sql.ts';
import type { Amount, CountedValue, GatheredTiles, TileAddition } from '../../profiles/tile-lot.ts';
import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';

const KEY = 'measure, day, holder, hour';
const KEY_COLUMNS = '$1::integer[], $2::integer[], $3::bigint[], $4::integer[]';

/** Of one number, the lowest and the highest are the total. */
function either(pick: 'least' | 'greatest', bound: 'lowest' | 'highest'): string {
  return `CASE WHEN amounts.numbers = 0 THEN excluded.${bound} WHEN excluded.numbers = 0 THEN amounts.${bound}
     ELSE ${pick}(coalesce(amounts.${bound}, amounts.total), coalesce(excluded.${bound}, excluded.total)) END`;
}

const AMOUNTS = writes(
  'add_amounts',
  `INSERT INTO amounts (${KEY}, events, numbers, total, lowest, highest)
   SELECT * FROM unnest(${KEY_COLUMNS}, $5::bigint[], $6::bigint[], $7::double precision[], $8::double precision[],
     $9::double precision[])
   ON CONFLICT (${KEY}) DO UPDATE SET events = amounts.events + excluded.events, numbers = amounts.numbers + excluded.numbers,
     total = amounts.total + excluded.total, lowest = ${either('least', 'lowest')}, highest = ${either('greatest', 'highest')}`,
);
/** Two values of one digest, which somebody may have made, are one: a lot that is refused would be refused again, without end. */
const VALUES = writes(
  'add_values',
  `INSERT INTO counted_values (${KEY}, value, events)
   SELECT ${KEY}, min(value), sum(events)::bigint
   FROM unnest(${KEY_COLUMNS}, $5::text[], $6::bigint[]) added (${KEY}, value, events)
   GROUP BY ${KEY}, md5(value) ORDER BY ${KEY}
   ON CONFLICT (${KEY}, md5(value)) DO UPDATE SET events = counted_values.events + excluded.events`,
);
const [SOONER, LATER] = [
  '(excluded.first_at, excluded.first_message) < (ends.first_at, ends.first_message)',
  '(excluded.last_at, excluded.last_message) > (ends.last_at, ends.last_message)',
];
const END = ['at', 'message', 'json'];

function ifIs(condition: string, which: 'first' | 'last'): string {
  return END.map(
    (part) => `${which}_${part} = CASE WHEN ${condition} THEN excluded.${which}_${part} ELSE ends.${which}_${part} END`,
  ).join(', ');
}

const ENDS = writes(
  'add_ends',
  `INSERT INTO ends (${KEY}, first_at, first_message, first_json, last_at, last_message, last_json)
   SELECT * FROM unnest(${KEY_COLUMNS}, $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[])
   ON CONFLICT (${KEY}) DO UPDATE SET ${ifIs(SOONER, 'first')}, ${ifIs(LATER, 'last')}`,
);

export async function addTiles(queries: Queries, { amounts, values, ends }: GatheredTiles): Promise<void> {
  if (amounts.length > 0) await queries.run(AMOUNTS, amountColumns(amounts));
  if (values.length > 0) await queries.run(VALUES, valueColumns(values));
  if (ends.length > 0) await queries.run(ENDS, endColumns(ends));
}

type Key = Pick<TileAddition, 'measure' | 'holder' | 'hour'>;

function keyColumns(rows: readonly Key[]): readonly string[] {
  return [
    numbers(rows.map(({ measure }) => measure)),
    numbers(rows.map(({ hour }) => dayOf(hour))),
    numbers(rows.map(({ holder }) => holder)),
    numbers(rows.map(({ hour }) => hour)),
  ];
}

function amountColumns(rows: readonly Amount[]): readonly unknown[] {
  const bound = (which: 'lowest' | 'highest'): string =>
    numbers(rows.map((row) => (row.numbers > 1 ? row[which] : null)));
  return [
    ...keyColumns(rows),
    numbers(rows.map(({ events }) => events)),
    numbers(rows.map((row) => row.numbers)),
    numbers(rows.map(({ total }) => total)),
    bound('lowest'),
    bound('highest'),
  ];
}

function valueColumns(rows: readonly CountedValue[]): readonly unknown[] {
  return [...keyColumns(rows), rows.map(({ json }) => json), numbers(rows.map(({ events }) => events))];
}

/** One row for each hour of a holder. */
function endColumns(additions: readonly TileAddition[]): readonly unknown[] {
  const hours = [
    ...Map.groupBy(additions, ({ measure, holder, hour }) => `${measure} ${holder} ${hour}`).values(),
  ].flatMap((of) => {
    const inOrder = of.toSorted((a, b) => a.at - b.at || compareUsers(a.messageId, b.messageId));
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    return first === undefined || last === undefined ? [] : [{ first, last }];
  });
  const columns = (which: 'first' | 'last'): readonly unknown[] => [
    numbers(hours.map((row) => row[which].at)),
    hours.map((row) => storable(row[which].messageId)),
    hours.map((row) => JSON.stringify(row[which].value)),
  ];
  return [...keyColumns(hours.map(({ first }) => first)), ...columns('first'), ...columns('last')];
}

/** Of so many days each is looked at, whether the measure has any tiles of it or not: it takes a tenth of finding the next one that has. */
const SPAN_DAYS = 1_000;

/**
 * An array of the days to look at of a measure, which is the first parameter: tiles of a holder stand nowhere together. Where they are far
 * apart, those that have any, from one to the next: a single event may claim to be of the year 1.
 */
export function daysOf(table: TileTable): string {
  const one = (order = '', behind = ''): string =>
    `SELECT day FROM ${table} WHERE measure = $1 ${behind} ORDER BY day ${order} LIMIT 1`;
  const each = `WITH RECURSIVE days AS (
    (${one()}) UNION ALL SELECT one.day FROM days, LATERAL (${one('', 'AND day > days.day')}) one
  ) SELECT day FROM days`;
  return `(SELECT CASE WHEN until - since < ${SPAN_DAYS} THEN ARRAY(SELECT generate_series(since, until)) ELSE ARRAY(${each}) END
    FROM (SELECT (${one()}) AS since, (${one('DESC')}) AS until) span)::integer[]`;
}

/** A query over the tiles of some holders, with `profile`: parameters are the measure, the holders, and what else the query has. */
export function overTilesOf(table: TileTable, columns: readonly string[], select: string): string {
  const where = `t.measure = $1 AND t.day = ANY(${daysOf(table)}) AND t.holder = ANY($2::bigint[])`;
  return `WITH tiles AS (${attributedSql(table, columns, where)}) ${select}`;
}
