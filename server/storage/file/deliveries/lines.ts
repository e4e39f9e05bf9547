import type { DatabaseSync } from 'node:sqlite';
import type { StoredClaim } from '../../stored-claim.ts';
import { query } from './query.ts';

/** Whether delivery `d` is not the first of its line: only that is tried (HOOK-25). */
export const IS_BEHIND = `d.line IS NOT NULL AND d.id <> (
  SELECT e.id FROM deliveries e WHERE e.destination = d.destination AND e.line = d.line AND e.state IN ('pending', 'trying')
  ORDER BY e.window_from, e.id LIMIT 1)`;

/** What a claim is made of; it is of the round that begins with it. */
export const CLAIMED = `d.id AS delivery, n.name AS source, d.window_from AS receivedAt, m.event, d.round + 1 AS round,
  d.tries, d.earlier_rounds AS earlierRounds, d.closed, d.line`;

export const FROM_DELIVERIES = `FROM deliveries d JOIN messages m ON m.id = d.message JOIN names n ON n.id = m.source`;

export const TAKE = "UPDATE deliveries SET state = 'trying', round = round + 1 WHERE id = ?";

interface Lines {
  /** Whether something of the line has not ended. */
  isBusy(destination: number, line: number): boolean;
  /** Takes the first of the line; undefined when there is none, or it is being tried. */
  takeNext(destination: number, line: number): StoredClaim | undefined;
  /** The first of the line, where nobody has tried it, waits for the end of another no more. */
  bringForward(destination: number, line: number): void;
}

export function lines(database: DatabaseSync): Lines {
  const unfinished = query(
    database,
    "SELECT 1 FROM deliveries WHERE destination = ? AND line = ? AND state IN ('pending', 'trying') LIMIT 1",
  );
  const first = query<StoredClaim & { readonly state: string }>(
    database,
    `SELECT d.state, ${CLAIMED} ${FROM_DELIVERIES} WHERE d.destination = ? AND d.line = ? AND d.state IN ('pending', 'trying')
     ORDER BY d.window_from, d.id LIMIT 1`,
  );
  const take = database.prepare(TAKE);
  const setDue = database.prepare(`
    UPDATE deliveries SET due_at = window_from WHERE state = 'pending' AND tries = 0 AND id = (
      SELECT id FROM deliveries WHERE destination = ? AND line = ? AND state IN ('pending', 'trying')
      ORDER BY window_from, id LIMIT 1)`);
  return {
    isBusy: (destination, line) => unfinished.get(destination, line) !== undefined,
    takeNext(destination, line) {
      const found = first.get(destination, line);
      if (found?.state !== 'pending') return undefined;
      take.run(found.delivery);
      const { state: _state, ...row } = found;
      return row;
    },
    bringForward: (destination, line) => void setDue.run(destination, line),
  };
}
