import type { DatabaseSync } from 'node:sqlite';

/** Makes a delivery that has ended pending again, with a fresh window and all its webhooks; false when it has not ended. */
export type ReplayOne = (delivery: number, now: number) => boolean;

export function createReplayOne(database: DatabaseSync): ReplayOne {
  const revive = database.prepare(`
    UPDATE deliveries
    SET state = 'pending', due_at = ?1, window_from = ?1, earlier_rounds = round, closed = '[]'
    WHERE id = ?2 AND state NOT IN ('pending', 'trying')`);
  const note = database.prepare(`
    INSERT OR IGNORE INTO replays (delivery, earlier_rounds, at) SELECT id, earlier_rounds, ?1 FROM deliveries WHERE id = ?2`);
  return (delivery, now) => {
    if (revive.run(now, delivery).changes === 0) return false;
    note.run(now, delivery);
    return true;
  };
}
