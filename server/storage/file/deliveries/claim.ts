import type { DatabaseSync } from 'node:sqlite';
import { BEHIND_MS, type ClaimRequest, PROBE_AMONG } from '../../delivery-storage.ts';
import type { StoredClaim } from '../../stored-claim.ts';
import type { SqliteOperations } from './calls.ts';
import { flatClaims } from './flat-rows.ts';
import { CLAIMED, FROM_DELIVERIES, IS_BEHIND, TAKE } from './lines.ts';
import type { OwnLife } from './members.ts';
import type { Names } from './names.ts';
import { query, type Query } from './query.ts';

export function claim(database: DatabaseSync, names: Names, life: Pick<OwnLife, 'epoch'>): SqliteOperations['claim'] {
  const due = query<DueRow>(
    database,
    `SELECT ${CLAIMED}, ${IS_BEHIND} AS isBehind ${FROM_DELIVERIES}
     WHERE d.state = 'pending' AND d.destination = ? AND d.due_at <= ? ORDER BY d.due_at LIMIT ?`,
  );
  const received = query<StoredClaim>(database, firstOfLines('AND d.window_from <= :upTo'));
  const oldest = query<StoredClaim>(database, firstOfLines());
  const postpone = database.prepare('UPDATE deliveries SET due_at = ? WHERE id = ?');
  const take = database.prepare(TAKE);
  const nextDue = waiting(database, 'min(due_at)');
  const oldestLeft = waiting(database, 'min(window_from)');
  const select = (id: number, request: ClaimRequest): readonly StoredClaim[] => {
    switch (request.which) {
      case 'due': {
        const all = due.all(id, request.now, request.limit);
        // They come with the end of those before them.
        for (const row of all) if (row.isBehind === 1) postpone.run(request.now + BEHIND_MS, row.delivery);
        return all.filter(({ isBehind }) => isBehind === 0);
      }
      case 'received':
        return received.all({ destination: id, upTo: request.upTo, limit: request.limit });
      case 'probe':
        return oldest
          .all({ destination: id, limit: PROBE_AMONG })
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
function within(rows: readonly StoredClaim[], bytes = Infinity): readonly StoredClaim[] {
  let sum = 0;
  const end = rows.findIndex(({ event }) => (sum += event.length) > bytes);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** Of those that are due, what is behind others is found, too. */
interface DueRow extends StoredClaim {
  readonly isBehind: number;
}

/** So many of the oldest are looked at: however many of them are behind others … */
const MAX_EXAMINED = 1_000;
/** … the first of so many lines are found, from any of them on. */
const MAX_LINES = 100;

/** The next line in which something has not ended, and behind the last the first. */
function lineBehind(line: string): string {
  const of = "FROM deliveries WHERE destination = :destination AND line IS NOT NULL AND state IN ('pending', 'trying')";
  return `coalesce((SELECT min(line) ${of} AND line > ${line}), (SELECT min(line) ${of}))`;
}

/** The oldest that are not behind others of their line, up to `:limit`, which a line of any length does not hide. */
function firstOfLines(condition = ''): string {
  const waits = `d.state = 'pending' AND d.destination = :destination ${condition}`;
  return `WITH RECURSIVE some_lines (line) AS (
       SELECT ${lineBehind(`(random() & ${Number.MAX_SAFE_INTEGER})`)}
       UNION SELECT ${lineBehind('some_lines.line')} FROM some_lines WHERE some_lines.line IS NOT NULL LIMIT ${MAX_LINES}
     ), first (id) AS (
       SELECT * FROM (SELECT d.id FROM (
           SELECT d.id FROM deliveries d WHERE ${waits} ORDER BY d.window_from, d.id LIMIT ${MAX_EXAMINED}
         ) examined CROSS JOIN deliveries d USING (id) WHERE NOT (${IS_BEHIND}) LIMIT :limit)
       UNION SELECT (SELECT e.id FROM deliveries e
         WHERE e.destination = :destination AND e.line = some_lines.line AND e.state IN ('pending', 'trying')
         ORDER BY e.window_from, e.id LIMIT 1) FROM some_lines
     ), chosen (id) AS MATERIALIZED (
       SELECT d.id FROM first CROSS JOIN deliveries d USING (id) WHERE ${waits} ORDER BY d.window_from, d.id LIMIT :limit
     ) SELECT ${CLAIMED} FROM chosen CROSS JOIN deliveries d USING (id)
     CROSS JOIN messages m ON m.id = d.message CROSS JOIN names n ON n.id = m.source ORDER BY d.window_from, d.id`;
}

function waiting(database: DatabaseSync, least: 'min(due_at)' | 'min(window_from)'): Query<{ at: number | null }> {
  return query(database, `SELECT ${least} AS at FROM deliveries WHERE state = 'pending' AND destination = ?`);
}
