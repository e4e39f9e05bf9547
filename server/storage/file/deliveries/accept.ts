import type { DatabaseSync } from 'node:sqlite';
import { type AcceptanceRow, type RouteRow, rowsOf } from './acceptance-columns.ts';
import type { AcceptKeys } from './accept-keys.ts';
import type { SqliteOperations } from './calls.ts';
import type { Life } from './members.ts';
import type { Names } from './names.ts';
import type { Seen } from './seen.ts';

export interface AcceptParts {
  readonly database: DatabaseSync;
  readonly names: Names;
  readonly seen: Seen;
  readonly keys: AcceptKeys;
  readonly life: Pick<Life, 'epoch'>;
}

export function accept({ database, names, seen, keys, life }: AcceptParts): SqliteOperations['accept'] {
  const message = database.prepare('INSERT INTO messages (source, received_at, event) VALUES (?, ?, ?)');
  // The end is given a place from the start: a row that grows later has to be moved.
  const delivery = database.prepare(`
    INSERT INTO deliveries (message, destination, state, round, tries, due_at, set_at, closed, received_at, window_from,
      earlier_rounds, ended_at, type, event, user_id)
    VALUES (?1, ?2, ?3, ?4, 0, ?5, ?5, '[]', ?6, ?5, 0, ?6, ?7, ?8, ?9)`);
  const acceptOne = (row: AcceptanceRow, routes: readonly RouteRow[], ids: readonly number[]): number[] | null => {
    const { receivedAt, acceptedAt, type, eventName, userId } = row;
    const source = ids[row.source] ?? 0;
    if (!seen.take(source, row.messageId, receivedAt)) return null;
    if (routes.length === 0) return [];
    const id = message.run(source, acceptedAt, row.event).lastInsertRowid;
    return routes.map(({ destination, claimed }) => {
      const to = ids[destination] ?? 0;
      const [state, round] = claimed ? ['trying', 1] : ['pending', 0];
      const times = [receivedAt, acceptedAt] as const;
      return Number(delivery.run(id, to, state, round, ...times, type, eventName, userId).lastInsertRowid);
    });
  };
  return ({ key, ...columns }) => {
    const known = keys.get(key);
    if (known !== undefined) return known;
    const ids = columns.names.map((name) => names.idOf(name));
    const routes = rowsOf(columns.routes);
    let next = 0;
    const deliveries = rowsOf(columns.acceptances).map((row) =>
      acceptOne(row, routes.slice(next, (next += row.routes)), ids),
    );
    const answer = { deliveries, epoch: life.epoch };
    keys.add(key, answer);
    return answer;
  };
}
