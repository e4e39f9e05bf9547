import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../ports/clock.ts';
import { query } from './query.ts';

/** The row of `members` whose number is by how many milliseconds the wall is ahead of the times that the last life stored. */
const CLOCK = 'clock';
/** Less is drift. */
const SET_MS = 1_000;

/** What is to be told of each transaction. */
export interface SetClock {
  committing(): void;
  committed(): void;
  rolledBack(): void;
}

/**
 * Times that wait are a life's own: the wall as its process began, and what has passed since (HOOK-21). Where the wall was set forward
 * meanwhile, the next life begins by the new time, and to it all would be as much older: hours would be over, and ids of the day
 * forgotten. So each life notes how far the wall is ahead, and the next adds that to what it finds, before it reads anything.
 * What is in the future then, as where the wall was set back, a join sees to.
 */
export function setClock(database: DatabaseSync, clock: Pick<Clock, 'now' | 'steady'>): SetClock {
  addAhead(database);
  const note = database.prepare(`
    INSERT INTO members (node, epoch) VALUES ('${CLOCK}', ?1) ON CONFLICT DO UPDATE SET epoch = ?1`);
  let noted = 0;
  let noting: number | undefined;
  return {
    committing() {
      const ahead = clock.now() - clock.steady();
      if (Math.abs(ahead - noted) <= SET_MS) return;
      note.run(ahead);
      noting = ahead;
    },
    committed() {
      noted = noting ?? noted;
      noting = undefined;
    },
    rolledBack: () => (noting = undefined),
  };
}

/** How much is to be added to times that wait, by whoever goes on with what the last life left; undefined where it noted nothing. */
export function aheadIn(database: DatabaseSync): number | undefined {
  const found = query<{ readonly ahead: number }>(
    database,
    `SELECT epoch AS ahead FROM members WHERE node = '${CLOCK}'`,
  );
  const ahead = found.get()?.ahead;
  return ahead === undefined ? undefined : Math.max(0, ahead);
}

function addAhead(database: DatabaseSync): void {
  const added = aheadIn(database);
  if (added === undefined) return;
  database.exec(`
    BEGIN IMMEDIATE;
    UPDATE deliveries SET due_at = due_at + ${added}, set_at = set_at + ${added}, window_from = window_from + ${added}
      WHERE ${added} > 0 AND state IN ('pending', 'trying');
    UPDATE seen SET seen_at = seen_at + ${added} WHERE ${added} > 0;
    DELETE FROM members WHERE node = '${CLOCK}';
    COMMIT`);
}
