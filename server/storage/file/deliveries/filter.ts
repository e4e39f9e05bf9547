import type { SQLInputValue } from 'node:sqlite';
import type { LogFilter } from '../../../model/logged-delivery.ts';

/** Holds of the rows of `deliveries` that a filter chooses, its times apart; takes the values of `valuesOf`. */
export const CHOSEN = `
  (:states IS NULL OR d.state IN (SELECT value FROM json_each(:states)))
  AND (:type IS NULL OR d.type = :type)
  AND (:event IS NULL OR d.event = :event)
  AND (:userId IS NULL OR d.user_id = :userId)`;

export function valuesOf({ states, type, event, userId }: LogFilter): Record<string, SQLInputValue> {
  return {
    states: states === undefined ? null : JSON.stringify(states),
    type: type ?? null,
    event: event ?? null,
    userId: userId ?? null,
  };
}

/** So many rows of the log are looked at, or forgotten, in one call: a few milliseconds of the thread … */
const MAX_EXAMINED = 2_000;
/** … where they are in memory. In a store that is larger, each may be a page that the disk has to read: for so long … */
const MAX_MS = 10;
/** … and these many in any case. */
const MIN_EXAMINED = 50;

/** Looks at one row after the other, as long as `look` goes on. Answers whether there may be more. */
export function examine<Row>(rows: Iterable<Row>, look: (row: Row) => boolean): boolean {
  const until = performance.now() + MAX_MS;
  let examined = 0;
  for (const row of rows) {
    examined += 1;
    if (!look(row) || examined === MAX_EXAMINED) return true;
    if (examined >= MIN_EXAMINED && performance.now() >= until) return true;
  }
  return false;
}
