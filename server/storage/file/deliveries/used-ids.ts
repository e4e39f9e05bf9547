import type { DatabaseSync } from 'node:sqlite';
import { digestOf } from '../../used-ids.ts';
import type { Operations } from '../../verbs.ts';
import { query } from './query.ts';

export function useOnce(database: DatabaseSync): Operations['useOnce'] {
  const known = query<{ readonly until: number }>(database, 'SELECT until FROM used_ids WHERE owner = ? AND id = ?');
  const counted = query<{ readonly count: number }>(
    database,
    'SELECT count(*) AS count FROM used_ids WHERE owner = ? AND until > ?',
  );
  const add = database.prepare(`
    INSERT INTO used_ids (owner, id, until) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until`);
  return ({ owner, id, now, forMs, limit }) => {
    const digest = digestOf({ id });
    if ((known.get(owner, digest)?.until ?? -Infinity) > now) return 'again';
    if ((counted.get(owner, now)?.count ?? 0) >= limit) return 'full';
    add.run(owner, digest, now + forMs);
    return 'first';
  };
}

/** Forgets, up to `limit`, what is not remembered any more; answers how many that were. */
export function sweepUsedIds(database: DatabaseSync): (before: number, limit: number) => number {
  const remove = database.prepare(`
    DELETE FROM used_ids WHERE (owner, id) IN (SELECT owner, id FROM used_ids WHERE until <= ? ORDER BY until LIMIT ?)`);
  return (before, limit) => Number(remove.run(before, limit).changes);
}
