import type { DatabaseSync } from 'node:sqlite';
import { lines } from './lines.ts';
import { query } from './query.ts';

/** The destination of what is cancelled, by number; when; and who counts it. */
export interface CancelAt {
  readonly destination: number;
  readonly now: number;
  readonly onCancel: () => void;
}

/** Cancels a telling that waits, as the record of a round ends it; its own sync counts it when it settles. */
export function cancelWaiting(database: DatabaseSync): (delivery: number, at: CancelAt) => void {
  const end = query<{ readonly line: number | null }>(
    database,
    "UPDATE deliveries SET state = 'cancelled', ended_at = ?, due_at = 0 WHERE id = ? AND state = 'pending' RETURNING line",
  );
  const inLines = lines(database);
  return (delivery, { now, destination, onCancel }) => {
    const ended = end.get(now, delivery);
    if (ended === undefined) return;
    onCancel();
    if (ended.line !== null) inLines.bringForward(destination, ended.line);
  };
}
