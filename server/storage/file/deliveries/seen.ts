import type { DatabaseSync } from 'node:sqlite';
import { countIn, fingerprintOf } from '../../fingerprint.ts';
import { DedupIndex } from './dedup-index.ts';
import { FingerprintBlocks, type SeenRow } from './fingerprint-blocks.ts';
import { query } from './query.ts';

/**
 * The message ids that were accepted (D-43, decisions/012). The file has them in blocks; an index in memory knows in which
 * block to look, and is made again when the file is opened.
 */
export interface Seen {
  /** Whether an id is new to its source; from then on it is not, unless the transaction is rolled back. */
  take(source: number, messageId: string, at: number): boolean;
  /** Forgets what was seen before `before`, up to `limit` rows of it. */
  sweep(before: number, limit: number): SweptIds;
  committing(): void;
  committed(): void;
  rolledBack(): void;
}

export interface SweptIds {
  readonly ids: number;
  readonly isMore: boolean;
}

export function createSeen(database: DatabaseSync, toFingerprint: typeof fingerprintOf = fingerprintOf): Seen {
  const [blocks, index] = [new FingerprintBlocks(database), new DedupIndex()];
  load(database, blocks, index);
  const sweepRows = sweepSeen(database);
  const holds = blocks.holds.bind(blocks);
  return {
    take(source, messageId, at) {
      const fingerprint = toFingerprint(source, messageId);
      if (index.has(fingerprint, holds)) return false;
      index.add(fingerprint, blocks.next, at);
      blocks.add(fingerprint, at);
      return true;
    },
    sweep(before, limit) {
      index.forgetBefore(before);
      const { last, ...swept } = sweepRows(before, limit);
      if (last !== undefined) blocks.removed(last);
      return swept;
    },
    committing: () => blocks.committing(),
    committed() {
      blocks.committed();
      index.committed(blocks.openBlock);
    },
    rolledBack() {
      blocks.rolledBack();
      index.rolledBack();
    },
  };
}

function load(database: DatabaseSync, blocks: FingerprintBlocks, index: DedupIndex): void {
  const rows = query<SeenRow>(database, 'SELECT id, seen_at AS seenAt, ids FROM seen ORDER BY id');
  for (const row of rows.each()) {
    index.load(row.ids, blocks.openBlock, row.seenAt);
    blocks.load(row);
  }
  index.committed(blocks.openBlock);
}

interface Age {
  readonly id: number;
  readonly seenAt: number;
  readonly bytes: number;
}

/** Rows stand in the order in which they were seen. */
function sweepSeen(
  database: DatabaseSync,
): (before: number, limit: number) => SweptIds & { last?: number | undefined } {
  const oldest = query<Age>(
    database,
    'SELECT id, seen_at AS seenAt, length(ids) AS bytes FROM seen ORDER BY id LIMIT ?',
  );
  const remove = database.prepare('DELETE FROM seen WHERE id <= ?');
  return (before, limit) => {
    const rows = oldest.all(limit);
    const young = rows.findIndex(({ seenAt }) => seenAt >= before);
    const old = young < 0 ? rows : rows.slice(0, young);
    const last = old.at(-1)?.id;
    if (last !== undefined) remove.run(last);
    return { ids: old.reduce((sum, { bytes }) => sum + countIn(bytes), 0), isMore: old.length === limit, last };
  };
}
