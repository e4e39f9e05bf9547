import { type EndedTelling, endsOf } from '../../sync-rows.ts';
import type { TellingStorage } from '../../telling-storage.ts';
import { reads, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';
import { getSync } from './syncs.ts';
import type { TellingParts } from './telling-operations.ts';

/** What waits, or is being tried, has not ended; in one statement, so that none is missed that moves. */
const ENDED = reads(
  'ended_tellings',
  `SELECT t.delivery, l.state, l.destination, l.user_id AS user FROM tellings t
   LEFT JOIN LATERAL (SELECT state, destination, user_id FROM log WHERE id = t.delivery OFFSET 0) l ON true
   WHERE t.computation = $1 AND t.sync = $2
     AND (SELECT true FROM queue q WHERE q.id = t.delivery LIMIT 1) IS NULL
     AND (SELECT true FROM tries r WHERE r.id = t.delivery LIMIT 1) IS NULL
   LIMIT $3`,
);
const LOCK = writes('lock_settled_sync', 'SELECT number FROM syncs WHERE computation = $1 AND number = $2 FOR UPDATE');
const CLOSE = writes('close_tellings', 'DELETE FROM tellings WHERE delivery = ANY($1::bigint[])');
const UNSET = writes(
  'unset_told',
  `UPDATE told t SET value = NULL FROM unnest($2::integer[], $3::text[], $4::bigint[]) one (destination, user_id, delivery)
   WHERE t.computation = $1 AND t.destination = one.destination AND t.user_id = one.user_id AND t.delivery = one.delivery`,
);
const COUNT = writes(
  'count_ended',
  `UPDATE syncs SET delivered = delivered + $3, failed = failed + $4, expired = expired + $5, superseded = superseded + $6
   WHERE computation = $1 AND number = $2`,
);

export function settle({ database, names }: TellingParts): TellingStorage['settle'] {
  return async ({ computation, sync: number, limit }) => {
    await names.add([computation]);
    const of = [names.idOf(computation), number] as const;
    return database.transaction(async (queries) => {
      await queries.run(LOCK, of);
      const rows = await queries.run<EndedTelling>(ENDED, [...of, limit]);
      const unset = rows.filter(({ state }) => state === 'expired' || state === 'cancelled');
      if (rows.length > 0) {
        const { delivered, failed, expired, superseded } = endsOf(rows.map(({ state }) => state));
        await queries.run(CLOSE, [numbers(rows.map(({ delivery }) => delivery))]);
        await queries.run(COUNT, [...of, delivered, failed, expired, superseded]);
      }
      if (unset.length > 0) {
        const users = unset.map(({ user }) => user);
        const deliveries = numbers(unset.map(({ delivery }) => delivery));
        await queries.run(UNSET, [of[0], numbers(unset.map(({ destination }) => destination)), users, deliveries]);
      }
      const sync = await getSync(queries, computation, number);
      return { sync, isMore: rows.length === limit };
    });
  };
}
