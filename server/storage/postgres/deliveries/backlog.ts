import type { DeliveryStorage, Unfinished } from '../../delivery-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';

export interface BacklogParts {
  readonly database: Queries;
  readonly names: Names;
  readonly time: DatabaseTime;
}

interface BacklogRow {
  readonly destination: number;
  readonly waiting: number;
  readonly nextDueAt: number;
  readonly oldestReceivedAt: number;
}

const BACKLOG = reads(
  'backlog',
  `SELECT destination, count(*) AS waiting, min(due_at) AS "nextDueAt", min(window_from) AS "oldestReceivedAt"
   FROM queue WHERE destination > $1 GROUP BY destination ORDER BY destination LIMIT $2`,
);
const UNFINISHED = reads(
  'unfinished',
  `SELECT 'pending' AS state, count(*) AS count, min(window_from) AS oldest FROM queue
   UNION ALL SELECT 'trying', count(*), min(window_from) FROM tries`,
);

export function backlog({ database, names, time }: BacklogParts): DeliveryStorage['backlog'] {
  return async ({ after = '0', limit }) => {
    const rows = await database.run<BacklogRow>(BACKLOG, [after, limit]);
    await names.read(rows.map(({ destination }) => destination));
    return {
      queues: rows.map(({ destination, waiting, nextDueAt, oldestReceivedAt }) => ({
        destination: names.nameOf(destination),
        waiting,
        nextDueAt: time.fromDatabase(nextDueAt),
        oldestReceivedAt: time.fromDatabase(oldestReceivedAt),
      })),
      next: rows.length === limit ? String(rows.at(-1)?.destination) : undefined,
    };
  };
}

export function unfinished({ database, time }: BacklogParts): DeliveryStorage['unfinished'] {
  return async () => {
    const rows = await database.run<Omit<Unfinished, 'oldestReceivedAt'> & { readonly oldest: number | null }>(
      UNFINISHED,
    );
    return rows.map(({ oldest, ...one }) => ({
      ...one,
      oldestReceivedAt: oldest === null ? undefined : time.fromDatabase(oldest),
    }));
  };
}
