import type { DatabaseSync } from 'node:sqlite';
import type { Moment } from '../../../ports/clock.ts';

/** Makes a delivery that has ended pending again, with a fresh window and all its webhooks; false when it has not ended. */
export type ReplayOne = (delivery: number, at: Moment) => boolean;

export function createReplayOne(database: DatabaseSync): ReplayOne {
  const revive = database.prepare(`
    UPDATE deliveries
    SET state = 'pending', due_at = ?1, set_at = ?1, window_from = ?1, earlier_rounds = round, tries = 0, closed = '[]'
    WHERE id = ?2 AND state NOT IN ('pending', 'trying')`);
  const note = database.prepare(`
    INSERT OR IGNORE INTO replays (delivery, earlier_rounds, at) SELECT id, earlier_rounds, ?1 FROM deliveries WHERE id = ?2`);
  return (delivery, at) => {
    if (revive.run(at.steady, delivery).changes === 0) return false;
    note.run(at.wall, delivery);
    return true;
  };
}
