import type { DatabaseSync } from 'node:sqlite';
import { type ClaimRequest, PROBE_AMONG } from '../../delivery-storage.ts';
import type { ClaimRow, SqliteOperations } from './calls.ts';
import type { Life } from './members.ts';
import type { Names } from './names.ts';
import { query, type Query } from './query.ts';
import type { Columns } from './acceptance-columns.ts';

export function claim(database: DatabaseSync, names: Names, life: Pick<Life, 'epoch'>): SqliteOperations['claim'] {
  const due = claimable(database, 'AND d.due_at <= ? ORDER BY d.due_at LIMIT ?');
  const received = claimable(database, 'AND d.window_from <= ? ORDER BY d.window_from, d.id LIMIT ?');
  const oldest = claimable(database, 'ORDER BY d.window_from, d.id LIMIT ?');
  const take = database.prepare("UPDATE deliveries SET state = 'trying', round = round + 1 WHERE id = ?");
  const nextDue = waiting(database, 'min(due_at)');
  const oldestLeft = waiting(database, 'min(window_from)');
  const select = (id: number, request: ClaimRequest): readonly ClaimRow[] => {
    switch (request.which) {
      case 'due':
        return due.all(id, request.now, request.limit);
      case 'received':
        return received.all(id, request.upTo, request.limit);
      case 'probe':
        return oldest
          .all(id, PROBE_AMONG)
          .toSorted((a, b) => a.round - b.round)
          .slice(0, request.limit);
    }
  };
  return (request) => {
    const id = names.idOf(request.destination);
    const rows = within(select(id, request), request.bytes);
    for (const row of rows) take.run(row.delivery);
    return {
      epoch: life.epoch,
      columns: columnsOf(rows),
      nextDueAt: nextDue.get(id)?.at ?? undefined,
      oldestReceivedAt: oldestLeft.get(id)?.at ?? undefined,
    };
  };
}

/** The first of them, as many as so many bytes hold, and one in any case. */
function within(rows: readonly ClaimRow[], bytes = Infinity): readonly ClaimRow[] {
  let sum = 0;
  const end = rows.findIndex(({ event }) => (sum += event.length) > bytes);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

function columnsOf(rows: readonly ClaimRow[]): Columns<ClaimRow> {
  return {
    delivery: rows.map(({ delivery }) => delivery),
    source: rows.map(({ source }) => source),
    receivedAt: rows.map(({ receivedAt }) => receivedAt),
    event: rows.map(({ event }) => event),
    round: rows.map(({ round }) => round),
    tries: rows.map(({ tries }) => tries),
    earlierRounds: rows.map(({ earlierRounds }) => earlierRounds),
    closed: rows.map(({ closed }) => closed),
  };
}

function claimable(database: DatabaseSync, condition: string): Query<ClaimRow> {
  return query(
    database,
    `SELECT d.id AS delivery, n.name AS source, d.window_from AS receivedAt, m.event, d.round + 1 AS round,
       d.tries, d.earlier_rounds AS earlierRounds, d.closed
     FROM deliveries d JOIN messages m ON m.id = d.message JOIN names n ON n.id = m.source
     WHERE d.state = 'pending' AND d.destination = ? ${condition}`,
  );
}

function waiting(database: DatabaseSync, least: 'min(due_at)' | 'min(window_from)'): Query<{ at: number | null }> {
  return query(database, `SELECT ${least} AS at FROM deliveries WHERE state = 'pending' AND destination = ?`);
}
