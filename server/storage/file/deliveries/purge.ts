import type { DatabaseSync } from 'node:sqlite';
import type { Operations } from '../../verbs.ts';
import { examine, query } from './query.ts';
import type { Seen } from './seen.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { sweepUsedIds } from './used-ids.ts';

interface Candidate {
  readonly id: number;
  readonly message: number;
  readonly isOver: number;
}

/** Free pages are kept for what comes next up to this share of the file, and this many in any case (10 MB). */
const KEPT_SHARE = 0.25;
const KEPT_PAGES = 2_500;

export function purge(database: DatabaseSync, seen: Seen, bytes: Pick<StoredBytes, 'forget'>): Operations['purge'] {
  const candidates = query<Candidate>(
    database,
    `SELECT id, message, state NOT IN ('pending', 'trying') AND ended_at < :endedBefore
       AND NOT EXISTS (SELECT 1 FROM tellings t WHERE t.delivery = d.id) AS isOver
     FROM deliveries d WHERE id > :after AND id < (SELECT max(id) FROM deliveries) ORDER BY id LIMIT :limit`,
  );
  const forget = removeDelivery(database);
  const isAnyOld = isAnyOldFrom(database);
  const sweepRest = sweepSmall(database);
  const sweepUsed = sweepUsedIds(database);
  const shrink = shrinkFile(database);
  return ({ endedBefore, seenBefore, usedBefore, after = '0', limit }) => {
    // The newest is not among them, so that its id, the highest, is never given again. What a sync has not counted stays.
    const rows = candidates.all({ endedBefore, after: Number(after), limit });
    let deliveries = 0;
    // What is forgotten of one stands on many pages, which the disk may have to read.
    const { last, isMore: isCut } = examine(rows, (row) => {
      if (row.isOver === 1) forget(row);
      deliveries += row.isOver;
      return true;
    });
    bytes.forget(endedBefore);
    const ids = seen.sweep(seenBefore, limit);
    const rest = Math.max(sweepRest(endedBefore, limit), sweepUsed(usedBefore, limit));
    const isOldLeft = isCut || (last !== undefined && rows.length === limit && isAnyOld(last.id, endedBefore));
    const isMore = isOldLeft || ids.isMore || rest >= limit || shrink(limit);
    return { deliveries, ids: ids.ids, next: isMore ? String(last?.id ?? after) : undefined };
  };
}

/**
 * Whether any from this id on was accepted before. They stand in the order of their acceptance, but what came while the wall was set
 * forward is dated later than what is behind it. Each look is twice as far ahead: it finds what is old once that is as much as came then.
 */
function isAnyOldFrom(database: DatabaseSync): (id: number, before: number) => boolean {
  const from = query<{ readonly receivedAt: number }>(
    database,
    'SELECT received_at AS receivedAt FROM deliveries WHERE id >= ? ORDER BY id LIMIT 1',
  );
  return (id, before) => {
    for (let ahead = 0; ; ahead = Math.max(1, ahead * 2)) {
      const one = from.get(id + ahead);
      if (one === undefined) return false;
      if (one.receivedAt < before) return true;
    }
  };
}

/** The message goes with the last of its deliveries, which stand next to each other. */
export function removeDelivery(database: DatabaseSync): (delivery: Pick<Candidate, 'id' | 'message'>) => void {
  const remove = ['attempts WHERE delivery = ?', 'replays WHERE delivery = ?', 'deliveries WHERE id = ?'].map((what) =>
    database.prepare(`DELETE FROM ${what}`),
  );
  const before = query<{ message: number }>(
    database,
    'SELECT message FROM deliveries WHERE id < ? ORDER BY id DESC LIMIT 1',
  );
  const behind = query<{ message: number }>(
    database,
    'SELECT message FROM deliveries WHERE id > ? ORDER BY id LIMIT 1',
  );
  const removeMessage = database.prepare('DELETE FROM messages WHERE id = ?');
  return ({ id, message }) => {
    for (const statement of remove) statement.run(id);
    if (before.get(id)?.message !== message && behind.get(id)?.message !== message) removeMessage.run(message);
  };
}

/** Metrics, bulk replays and syncs: few rows beside the others. */
function sweepSmall(database: DatabaseSync): (endedBefore: number, limit: number) => number {
  const counts = database.prepare(`
    DELETE FROM counts WHERE (hour, destination, what) IN
      (SELECT hour, destination, what FROM counts WHERE hour < ? LIMIT ?)`);
  const jobs = database.prepare(`
    DELETE FROM replay_jobs WHERE id IN
      (SELECT id FROM replay_jobs WHERE state <> 'running' AND ended_at < ? LIMIT ?)`);
  // The last stays: the next is numbered behind it.
  const syncs = database.prepare(`
    DELETE FROM syncs WHERE (computation, number) IN
      (SELECT computation, number FROM syncs s WHERE ended_at < ?
        AND EXISTS (SELECT 1 FROM syncs l WHERE l.computation = s.computation AND l.number > s.number)
        AND NOT EXISTS (SELECT 1 FROM tellings t WHERE t.computation = s.computation AND t.sync = s.number) LIMIT ?)`);
  return (endedBefore, limit) => {
    const removed = [jobs, syncs].map((one) => one.run(endedBefore, limit));
    removed.push(counts.run(endedBefore - HOUR, limit));
    return Math.max(...removed.map(({ changes }) => Number(changes)));
  };
}

const HOUR = 3_600_000;

/** Gives free pages back to the disk, up to `limit`; true when more are to go. */
export function shrinkFile(database: DatabaseSync): (limit: number) => boolean {
  const free = query<{ freelist_count: number }>(database, 'PRAGMA freelist_count');
  const all = query<{ page_count: number }>(database, 'PRAGMA page_count');
  return (limit) => {
    const pages = all.get()?.page_count ?? 0;
    const spare = (free.get()?.freelist_count ?? 0) - Math.max(KEPT_PAGES, pages * KEPT_SHARE);
    if (spare <= 0) return false;
    database.exec(`PRAGMA incremental_vacuum(${Math.min(limit, Math.ceil(spare))})`);
    return spare > limit;
  };
}
