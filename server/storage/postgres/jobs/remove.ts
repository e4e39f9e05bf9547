import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { TABLES } from '../log/columns.ts';

const REMOVE_ATTEMPTS = writes('remove_attempts', 'DELETE FROM attempts WHERE delivery = ANY($1::bigint[])');
const REMOVE_REPLAYS = writes('remove_replays', 'DELETE FROM replays WHERE delivery = ANY($1::bigint[])');
/**
 * A message goes with the last of its deliveries. Their ids begin with its own, and follow each other: where any is left in a
 * table, it is the first from there on.
 */
const REMOVE_MESSAGES = writes(
  'remove_messages',
  `DELETE FROM messages m WHERE m.id = ANY($1::bigint[]) AND ${TABLES.map(
    (table) => `(SELECT message FROM ${table} WHERE id >= m.id ORDER BY id LIMIT 1) IS DISTINCT FROM m.id`,
  ).join(' AND ')}`,
);

/** A delivery that was removed from its table. */
export interface Gone {
  readonly id: number;
  readonly message: number;
}

/** Removes what belongs to deliveries that are gone from their tables, in the same transaction. */
export async function removeRest(queries: Queries, gone: readonly Gone[]): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await queries.run(REMOVE_ATTEMPTS, [ids]);
  await queries.run(REMOVE_REPLAYS, [ids]);
  await queries.run(REMOVE_MESSAGES, [[...new Set(gone.map(({ message }) => message))]]);
}
