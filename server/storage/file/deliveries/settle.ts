import type { DatabaseSync } from 'node:sqlite';
import { type EndedTelling, endsOf } from '../../sync-rows.ts';
import type { Operations } from '../../verbs.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';
import { findSync } from './syncs.ts';

export function settle(database: DatabaseSync, names: Names): Operations['settle'] {
  const find = findSync(database);
  const ended = query<EndedTelling>(
    database,
    `SELECT t.delivery, d.state, d.destination, d.user_id AS user
     FROM tellings t LEFT JOIN deliveries d ON d.id = t.delivery
     WHERE t.computation = ? AND t.sync = ? AND (d.state IS NULL OR d.state NOT IN ('pending', 'trying')) LIMIT ?`,
  );
  const close = database.prepare('DELETE FROM tellings WHERE delivery = ?');
  const unset = database.prepare(
    'UPDATE told SET value = NULL WHERE computation = ? AND destination = ? AND user_id = ? AND delivery = ?',
  );
  const count = database.prepare(`
    UPDATE syncs SET delivered = delivered + ?, failed = failed + ?, expired = expired + ?, superseded = superseded + ?
    WHERE computation = ? AND number = ?`);
  return ({ computation, sync: number, limit }) => {
    const id = names.idOf(computation);
    const rows = ended.all(id, number, limit);
    for (const { delivery, state, destination, user } of rows) {
      close.run(delivery);
      if (state === 'expired' || state === 'cancelled') unset.run(id, destination, user, delivery);
    }
    const { delivered, failed, expired, superseded } = endsOf(rows.map(({ state }) => state));
    if (rows.length > 0) count.run(delivered, failed, expired, superseded, id, number);
    return { sync: find(id, number), isMore: rows.length === limit };
  };
}
