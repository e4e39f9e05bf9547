import { type DestinationCount, ENDS, type HourlyCount } from '../../../model/logged-delivery.ts';
import type { DeliveryLog } from '../../delivery-log.ts';
import type { Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import type { DatabaseTime } from '../time.ts';
import { numberOf } from './columns.ts';
import { list } from './list.ts';
import { read } from './read.ts';

export interface LogParts {
  readonly database: Queries;
  readonly time: Pick<DatabaseTime, 'fromDatabase'>;
}

const HOUR = 3_600_000;

export function logOperations(parts: LogParts): DeliveryLog {
  return { list: list(parts), read: read(parts), counts: counts(parts), sums: sums(parts) };
}

/** Each node counts in rows of its own (`chapters.ts`), so that none waits for another. */
const COUNTS = reads(
  'counts',
  `SELECT c.hour, c.what, sum(c.count)::bigint AS count FROM generate_series($2::bigint, $3::bigint - 1, ${HOUR}) AS hours (hour)
   CROSS JOIN LATERAL (SELECT hour, what, count FROM counts
     WHERE counts.hour = hours.hour AND destination = ${numberOf('$1')} OFFSET 0) c
   GROUP BY c.hour, c.what ORDER BY c.hour, c.what`,
);

function counts({ database }: LogParts): DeliveryLog['counts'] {
  return ({ destination, from, to }) => database.run<HourlyCount>(COUNTS, [destination, from - (from % HOUR), to]);
}

/** Of each destination, and of each hour, in one statement: the other one of both is null in a row. */
const SUMS = reads(
  'sums',
  `SELECT n.name AS destination, c.hour, c.what, sum(c.count)::bigint AS count
   FROM names n CROSS JOIN generate_series($2::bigint, $3::bigint - 1, ${HOUR}) AS hours (hour)
   CROSS JOIN LATERAL (SELECT hour, what, count FROM counts
     WHERE counts.hour = hours.hour AND destination = n.id OFFSET 0) c
   WHERE n.name = ANY($1::text[]) GROUP BY GROUPING SETS ((n.name, c.what), (c.hour, c.what))`,
);

type Sum = Pick<HourlyCount, 'what' | 'count'> &
  (
    | (Pick<HourlyCount, 'hour'> & { readonly destination: null })
    | (Pick<DestinationCount, 'destination'> & { readonly hour: null })
  );

function sums({ database }: LogParts): DeliveryLog['sums'] {
  return async ({ destinations, from, to }) => {
    const rows = await database.run<Sum>(SUMS, [destinations, from - (from % HOUR), to]);
    return {
      destinations: rows.flatMap(({ destination, what, count }) =>
        destination === null ? [] : { destination, what, count },
      ),
      hours: rows.flatMap(({ hour, what, count }) =>
        hour === null || ENDS.every((end) => end !== what) ? [] : { hour, what, count },
      ),
    };
  };
}
