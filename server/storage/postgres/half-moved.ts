import { StorageUnusable } from '../errors.ts';
import type { Queries } from './connection/database.ts';
import { reads } from './connection/statement.ts';

/** A row as long as a move into this database is not finished. */
export const READ_MOVING = reads('moving', 'SELECT source, progress FROM moving');

/** Throws where a move was begun and not finished: a part of everything is less than it seems. */
export async function refuseHalfMoved(queries: Queries, shown: string): Promise<void> {
  const [moving] = await queries.run<{ readonly source: string }>(READ_MOVING);
  if (moving === undefined) return;
  const way = 'finish it with "waybill migrate-storage", or drop the schema';
  throw new StorageUnusable(`${shown} has a half-finished move of ${moving.source}: ${way}`);
}
