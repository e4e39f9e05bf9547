import type { DeliveryLog } from '../../delivery-log.ts';
import { type DeliveryRow, positionIn, textOf } from '../../logged-rows.ts';
import { reads } from '../connection/statement.ts';
import { type DeliveryTable, LOGGED, loggedOf, numberOf, rowsOf } from './columns.ts';
import { CHOSEN, valuesOf, wants } from './filter.ts';
import type { LogParts } from './log-operations.ts';

/** So many rows are looked at in one call, whatever the filter chooses of them. */
export const MAX_EXAMINED = 2_000;

const ORDER = 'ORDER BY received_at DESC, id DESC';

/** The newest of one table, by its index; each is bounded, so that none is read whole whatever the statistics say. */
function newestOf(table: DeliveryTable, condition = 'true'): string {
  return `(${rowsOf(table)} WHERE destination = ${numberOf('$5')} AND (received_at, id) < ($6, $7)
    AND received_at >= $8 AND ${condition} ${ORDER} LIMIT ${MAX_EXAMINED})`;
}

/**
 * One statement, and so one snapshot, in which each delivery is in one of the tables, however it moves. Rows are merged and
 * looked at one by one, until the page is full. The last that may be looked at comes in any case: it is the place where the
 * next page begins.
 */
const LIST = reads(
  'list',
  `SELECT ${LOGGED}, d.chosen, d.place FROM (
    SELECT * FROM (
      SELECT *, row_number() OVER () AS place, ${CHOSEN} AS chosen FROM (
        ${newestOf('queue', wants('pending'))} UNION ALL ${newestOf('tries', wants('trying'))} UNION ALL ${newestOf('log')}
        ${ORDER} LIMIT ${MAX_EXAMINED}
      ) newest
    ) examined WHERE chosen OR place = ${MAX_EXAMINED} LIMIT $9
  ) d`,
);

type Examined = DeliveryRow & { readonly chosen: boolean; readonly place: number };

export function list({ database, time }: LogParts): DeliveryLog['list'] {
  return async ({ destination, filter, before, limit }) => {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
    const begin = before === undefined ? undefined : positionIn(before);
    const first = begin !== undefined && begin.receivedAt < to ? begin : { receivedAt: to, delivery: 0 };
    const place = [destination, first.receivedAt, first.delivery, from, limit];
    const rows = await database.run<Examined>(LIST, [...valuesOf(filter), ...place]);
    const last = rows.at(-1);
    const isMore = last !== undefined && (rows.length === limit || last.place === MAX_EXAMINED);
    const deliveries = rows.flatMap(({ chosen, place: _place, ...row }) => (chosen ? [loggedOf(row, time)] : []));
    return { deliveries, ...(isMore ? { next: textOf(last) } : {}) };
  };
}
