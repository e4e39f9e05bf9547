import type { DatabaseSync } from 'node:sqlite';
import { query } from './query.ts';

/** Of all rows of a table for which a condition holds. Values are numbers, in the SQL itself. */
export interface ChangeOfMany {
  readonly table: 'deliveries' | 'seen';
  readonly where: string;
  readonly set: string;
  /** What of the log a row takes, about. */
  readonly bytes: string;
  /** The row of `members` that has the last id that was changed. Whoever asked removes it, with what made the change necessary. */
  readonly note: string;
}

/** What one transaction takes of the log: on a disk that events have filled there is room for some megabytes (`refusals.ts`) … */
const BYTES = 1_000_000;
/** … and however small rows are, these many. */
const ROWS = 5_000;

/**
 * A start may have to change each row that waits. In one transaction, the log would become as large as all of them, and where there
 * is no room for that, no router would start. Each part is a transaction; who is killed goes on behind the last one.
 */
export function changeInParts(database: DatabaseSync, { table, where, set, bytes, note }: ChangeOfMany): void {
  const noted = query<{ readonly id: number }>(database, 'SELECT epoch AS id FROM members WHERE node = ?');
  const part = query<{ readonly last: number | null }>(
    database,
    `SELECT max(id) AS last FROM (
       SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before
       FROM (SELECT id, ${bytes} AS bytes FROM ${table} WHERE id > ? AND ${where} ORDER BY id LIMIT ${ROWS}))
     WHERE before < ${BYTES}`,
  );
  const change = database.prepare(`UPDATE ${table} SET ${set} WHERE id > ? AND id <= ? AND ${where}`);
  const keep = database.prepare(
    'INSERT INTO members (node, epoch) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET epoch = ?2',
  );
  for (let after = noted.get(note)?.id ?? 0; ;) {
    const last = part.get(after)?.last;
    if (last === null || last === undefined) return;
    database.exec('BEGIN IMMEDIATE');
    change.run(after, last);
    keep.run(note, last);
    database.exec('COMMIT');
    after = last;
  }
}
