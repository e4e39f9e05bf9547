import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../ports/clock.ts';
import type { Witness } from './calls.ts';
import { changeInParts } from './change-in-parts.ts';
import { query } from './query.ts';

/** The row of `members` whose number is by how many milliseconds the wall is ahead of the times that the last life stored. */
const CLOCK = 'clock';
/** Less is drift. */
const SET_MS = 1_000;

/**
 * Times that wait are a life's own: the wall as its process began, and what has passed since (HOOK-21). Where the wall was set forward
 * meanwhile, the next life begins by the new time, and to it all would be as much older: hours would be over, and ids of the day
 * forgotten. So each life notes how far the wall is ahead, and the next adds that to what it finds, before it reads anything.
 * What is in the future then, as where the wall was set back, is dated now, here or by a join.
 */
export function setClock(database: DatabaseSync, clock: Pick<Clock, 'now' | 'steady'>): Witness {
  settleClock(database, clock.steady());
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

/** How much is to be added to times that wait, by whoever goes on with what the last life left. */
export function aheadIn(database: DatabaseSync): number {
  return Math.max(0, noteIn(database) ?? 0);
}

function noteIn(database: DatabaseSync): number | undefined {
  const noted = query<{ readonly ahead: number }>(database, 'SELECT epoch AS ahead FROM members WHERE node = ?');
  return noted.get(CLOCK)?.ahead;
}

/** Behind the name of `CLOCK`: how far the change is that it made necessary. */
const NOTES = { deliveries: `${CLOCK}: deliveries`, seen: `${CLOCK}: seen` } as const;
/** Of the row and of its entries in indexes. */
const DELIVERY_BYTES = '400';
const SEEN_BYTES = 'length(ids) + 100';

function settleClock(database: DatabaseSync, now: number): void {
  const ahead = noteIn(database);
  if (ahead === undefined) return;
  if (ahead > 0) addAhead(database, ahead);
  else setBack(database, now);
  database.prepare('DELETE FROM members WHERE node IN (?, ?, ?)').run(CLOCK, NOTES.deliveries, NOTES.seen);
}

function addAhead(database: DatabaseSync, ahead: number): void {
  changeInParts(database, {
    table: 'deliveries',
    where: "state IN ('pending', 'trying')",
    set: `due_at = due_at + ${ahead}, set_at = set_at + ${ahead}, window_from = window_from + ${ahead}`,
    bytes: DELIVERY_BYTES,
    note: NOTES.deliveries,
  });
  changeInParts(database, {
    table: 'seen',
    where: 'true',
    set: `seen_at = seen_at + ${ahead}`,
    bytes: SEEN_BYTES,
    note: NOTES.seen,
  });
}

/** As a join does (`members.ts`), which finds little that is left then. */
function setBack(database: DatabaseSync, now: number): void {
  changeInParts(database, {
    table: 'deliveries',
    where: `state = 'pending' AND due_at > ${now} AND set_at > ${now}`,
    set: `due_at = ${now}, window_from = window_from - (set_at - ${now}), set_at = ${now}`,
    bytes: DELIVERY_BYTES,
    note: NOTES.deliveries,
  });
  changeInParts(database, {
    table: 'seen',
    where: `seen_at > ${now}`,
    set: `seen_at = ${now}`,
    bytes: SEEN_BYTES,
    note: NOTES.seen,
  });
}
