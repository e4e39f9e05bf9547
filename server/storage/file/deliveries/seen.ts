import type { DatabaseSync } from 'node:sqlite';
import { countIn, type Fingerprint, fingerprintOf, fromBytes, toBytes } from '../../fingerprint.ts';
import { query } from './query.ts';
import { RememberedIds } from '../../remembered-ids.ts';

/**
 * The message ids that were accepted (D-43, decisions/012): looked up in memory, written to the file as one row for each
 * commit, and read back when the file is opened.
 */
export interface Seen {
  /** Whether an id is new to its source; from then on it is not, unless the transaction is rolled back. */
  take(source: number, messageId: string, at: number): boolean;
  /** Forgets what was seen before `before`, up to `limit` commits of it. */
  sweep(before: number, limit: number): SweptIds;
  committing(): void;
  committed(): void;
  rolledBack(): void;
}

export interface SweptIds {
  readonly ids: number;
  readonly isMore: boolean;
}

interface Row {
  readonly id: number;
  readonly seenAt: number;
}

/** So many rows are read at a time when the file is opened. */
const PAGE = 50;

export function createSeen(database: DatabaseSync): Seen {
  const remembered = rememberedIn(database);
  const write = database.prepare('INSERT INTO seen (seen_at, ids) VALUES (?, ?)');
  const sweepRows = sweepSeen(database);
  /** What the transaction under way has taken, and when the last of it came. */
  let taken: Fingerprint[] = [];
  let lastAt = 0;
  const begin = (): void => {
    taken = [];
    lastAt = 0;
  };
  return {
    take(source, messageId, at) {
      const fingerprint = fingerprintOf(source, messageId);
      if (remembered.has(fingerprint)) return false;
      remembered.add(fingerprint, at);
      taken.push(fingerprint);
      lastAt = Math.max(lastAt, at);
      return true;
    },
    sweep(before, limit) {
      remembered.forgetBefore(before);
      return sweepRows(before, limit);
    },
    committing() {
      if (taken.length > 0) write.run(lastAt, toBytes(taken));
    },
    committed: begin,
    rolledBack() {
      for (const fingerprint of taken) remembered.remove(fingerprint);
      begin();
    },
  };
}

function rememberedIn(database: DatabaseSync): RememberedIds {
  const remembered = new RememberedIds();
  const page = query<Row & { readonly ids: Uint8Array }>(
    database,
    `SELECT id, seen_at AS seenAt, ids FROM seen WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? 0)) {
    for (const { ids, seenAt } of rows) for (const fingerprint of fromBytes(ids)) remembered.add(fingerprint, seenAt);
  }
  return remembered;
}

/** Rows stand in the order in which they were seen. */
function sweepSeen(database: DatabaseSync): (before: number, limit: number) => SweptIds {
  const oldest = query<Row & { readonly bytes: number }>(
    database,
    'SELECT id, seen_at AS seenAt, length(ids) AS bytes FROM seen ORDER BY id LIMIT ?',
  );
  const remove = database.prepare('DELETE FROM seen WHERE id = ?');
  return (before, limit) => {
    const rows = oldest.all(limit);
    const young = rows.findIndex(({ seenAt }) => seenAt >= before);
    const old = young < 0 ? rows : rows.slice(0, young);
    for (const { id } of old) remove.run(id);
    return { ids: old.reduce((sum, { bytes }) => sum + countIn(bytes), 0), isMore: old.length === limit };
  };
}
