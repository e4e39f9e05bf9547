import type { DatabaseSync } from 'node:sqlite';
import { BEHIND_MS, type ClaimRequest, PROBE_AMONG } from '../../delivery-storage.ts';
import type { SqliteOperations } from './calls.ts';
import { type ClaimRow, flatClaims } from './flat-rows.ts';
import { CLAIMED, FROM_DELIVERIES, IS_BEHIND, TAKE } from './lines.ts';
import type { OwnLife } from './members.ts';
import type { Names } from './names.ts';
import { query, type Query } from './query.ts';

export function claim(database: DatabaseSync, names: Names, life: Pick<OwnLife, 'epoch'>): SqliteOperations['claim'] {
  const due = claimable<DueRow>(database, `, ${IS_BEHIND} AS isBehind`, 'AND d.due_at <= ? ORDER BY d.due_at LIMIT ?');
  const first = `AND NOT (${IS_BEHIND}) `;
  const received = claimable(database, '', `AND d.window_from <= ? ${first} ORDER BY d.window_from, d.id LIMIT ?`);
  const oldest = claimable(database, '', `${first} ORDER BY d.window_from, d.id LIMIT ?`);
  const postpone = database.prepare('UPDATE deliveries SET due_at = ? WHERE id = ?');
  const take = database.prepare(TAKE);
  const nextDue = waiting(database, 'min(due_at)');
  const oldestLeft = waiting(database, 'min(window_from)');
  const select = (id: number, request: ClaimRequest): readonly ClaimRow[] => {
    switch (request.which) {
      case 'due': {
        const all = due.all(id, request.now, request.limit);
        // They come with the end of those before them.
        for (const row of all) if (row.isBehind === 1) postpone.run(request.now + BEHIND_MS, row.delivery);
        return all.filter(({ isBehind }) => isBehind === 0);
      }
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
      claims: flatClaims(rows),
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

/** Of those that are due, what is behind others is found, too. */
interface DueRow extends ClaimRow {
  readonly isBehind: number;
}

function claimable<Row extends ClaimRow = ClaimRow>(
  database: DatabaseSync,
  column: string,
  condition: string,
): Query<Row> {
  const of = `${CLAIMED}${column} ${FROM_DELIVERIES}`;
  return query<Row>(database, `SELECT ${of} WHERE d.state = 'pending' AND d.destination = ? ${condition}`);
}

function waiting(database: DatabaseSync, least: 'min(due_at)' | 'min(window_from)'): Query<{ at: number | null }> {
  return query(database, `SELECT ${least} AS at FROM deliveries WHERE state = 'pending' AND destination = ?`);
}
