import type { DatabaseSync } from 'node:sqlite';
import type { AcceptanceRow, Operations } from './calls.ts';
import type { Names } from './names.ts';

export function accept(database: DatabaseSync, names: Names): Operations['accept'] {
  const see = database.prepare('INSERT OR IGNORE INTO seen (source, message_id, seen_at) VALUES (?, ?, ?)');
  const message = database.prepare('INSERT INTO messages (source, received_at, event) VALUES (?, ?, ?)');
  // The end is given a place from the start: a row that grows later has to be moved.
  const delivery = database.prepare(`
    INSERT INTO deliveries (message, destination, state, round, due_at, closed, received_at, window_from, earlier_rounds,
      ended_at, type, event, user_id)
    VALUES (?1, ?2, ?3, ?4, ?5, '[]', ?5, ?5, 0, ?5, ?6, ?7, ?8)`);
  const acceptOne = (row: AcceptanceRow): number[] | null => {
    const { receivedAt, type, eventName, userId } = row;
    const source = names.idOf(row.source);
    if (see.run(source, row.messageId, receivedAt).changes === 0) return null;
    if (row.routes.length === 0) return [];
    const id = message.run(source, receivedAt, row.event).lastInsertRowid;
    return row.routes.map(({ destination, claimed }) => {
      const [state, round] = claimed ? ['trying', 1] : ['pending', 0];
      const to = names.idOf(destination);
      return Number(delivery.run(id, to, state, round, receivedAt, type, eventName, userId).lastInsertRowid);
    });
  };
  return (rows) => rows.map(acceptOne);
}
