import type { DatabaseSync } from 'node:sqlite';
import { BEHIND_MS } from '../../delivery-storage.ts';
import { type AcceptanceRow, acceptancesIn, caughtIn, type RouteRow } from './flat-rows.ts';
import type { AcceptKeys } from './accept-keys.ts';
import type { SqliteOperations } from './calls.ts';
import { lines } from './lines.ts';
import type { OwnLife } from './members.ts';
import type { Names } from './names.ts';
import type { Seen } from './seen.ts';
import type { EventsSize, StoredBytes } from './stored-bytes.ts';

export interface AcceptParts {
  readonly database: DatabaseSync;
  readonly names: Names;
  readonly seen: Seen;
  readonly keys: AcceptKeys;
  readonly life: Pick<OwnLife, 'epoch'>;
  readonly bytes: Pick<StoredBytes, 'addEvents'>;
}

/** Stores a message for destinations by their numbers. */
export type StoreMessage = (row: StoredRow, source: number, routes: readonly RouteRow[]) => StoredDelivery[];

interface StoredDelivery {
  readonly id: number;
  /** Others of its line have not ended. */
  readonly isBehind: boolean;
}

type StoredRow = Omit<AcceptanceRow, 'source' | 'messageId' | 'routes'>;

export function storeMessage(database: DatabaseSync): StoreMessage {
  const keep = database.prepare('INSERT INTO messages (source, received_at, event) VALUES (?, ?, ?)');
  // The end is given a place from the start: a row that grows later has to be moved.
  const delivery = database.prepare(`
    INSERT INTO deliveries (message, destination, state, round, tries, due_at, set_at, closed, received_at, window_from,
      earlier_rounds, ended_at, type, event, user_id, line)
    VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, '[]', ?7, ?6, 0, ?7, ?8, ?9, ?10, ?11)`);
  const inLines = lines(database);
  return ({ receivedAt, acceptedAt, event, type, eventName, userId }, source, routes) => {
    const message = keep.run(source, acceptedAt, event).lastInsertRowid;
    return routes.map(({ destination, claimed, line }) => {
      const isBehind = line !== null && inLines.isBusy(destination, line);
      const [state, round] = claimed && !isBehind ? ['trying', 1] : ['pending', 0];
      const times = [isBehind ? receivedAt + BEHIND_MS : receivedAt, receivedAt, acceptedAt] as const;
      const { lastInsertRowid } = delivery.run(
        message,
        destination,
        state,
        round,
        ...times,
        type,
        eventName,
        userId,
        line,
      );
      return { id: Number(lastInsertRowid), isBehind };
    });
  };
}

export function accept({ database, names, seen, keys, life, bytes }: AcceptParts): SqliteOperations['accept'] {
  const store = storeMessage(database);
  const keepCaught = database.prepare('INSERT INTO inbox (source, caught) VALUES (?, ?)');
  const acceptOne = (row: AcceptanceRow, ids: readonly number[]) => {
    const source = ids[row.source] ?? 0;
    if (!seen.take(source, row.messageId, row.receivedAt)) return null;
    const routes = row.routes.map((route) => ({ ...route, destination: ids[route.destination] ?? 0 }));
    return routes.length === 0 ? [] : store(row, source, routes);
  };
  return (request) => {
    const known = keys.get(request.key);
    if (known !== undefined) return known;
    const ids = request.names.map((name) => names.idOf(name));
    const rows = acceptancesIn(request);
    const stored = rows.map((row) => acceptOne(row, ids));
    const deliveries = stored.map((all) => all && all.map(({ id }) => id));
    const [first] = rows;
    if (first !== undefined) bytes.addEvents(request.names[first.source] ?? '', first.acceptedAt, sizeOf(rows, stored));
    const behind = stored.flatMap((all) => all ?? []).flatMap(({ id, isBehind }) => (isBehind ? [id] : []));
    for (const { index, text } of caughtIn(request)) {
      const row = rows[index];
      if (row !== undefined && deliveries[index] !== null) keepCaught.run(ids[row.source] ?? 0, text);
    }
    const answer = { deliveries, behind, epoch: life.epoch };
    keys.add(request.key, answer);
    return answer;
  };
}

/** What comes together is of one source. */
function sizeOf(rows: readonly AcceptanceRow[], stored: readonly (readonly StoredDelivery[] | null)[]): EventsSize {
  let [characters, deliveries] = [0, 0];
  for (const [index, { event }] of rows.entries()) {
    const count = stored[index]?.length ?? 0;
    if (count > 0) characters += event.length;
    deliveries += count;
  }
  return { characters, deliveries };
}
