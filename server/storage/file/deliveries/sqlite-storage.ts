import type { Acceptance, Claim } from '../../../model/delivery.ts';
import type { Event } from '../../../model/message.ts';
import { StoreUnavailable } from '../../config-store.ts';
import { eachVerb, type Verbs } from '../../verbs.ts';
import { columnsOf } from './acceptance-columns.ts';
import type { ClaimRow } from './calls.ts';
import { rowsOf } from './columns.ts';
import { openSqliteThread, type SqliteThread } from './sqlite-thread.ts';

/** Messages, deliveries, their log and jobs in SQLite. */
export interface SqliteStorage extends Verbs {
  /** Rejects with why nothing can be written now. */
  proveWritable(): Promise<void>;
  /** Waits until all that was asked is on disk, then ends. */
  close(): Promise<void>;
}

/** Opens the storage in one file, made when there is none. Rejects with a message that names the file. */
export async function openSqliteStorage(path: string, thread?: URL): Promise<SqliteStorage> {
  return sqliteStorage(await openSqliteThread(path, thread));
}

/** Accepted messages stay in memory on their way to the dispatcher. */
export function sqliteStorage(thread: SqliteThread): SqliteStorage {
  return {
    ...eachVerb((verb) => (argument) => thread.ask({ name: verb, argument })),
    accept: async (acceptances) => {
      const columns = columnsOf(acceptances);
      const stored = await thread.call('accept', columns);
      const bytes = columns.acceptances.event.map((event) => event.length);
      return acceptances.map((acceptance, index) => claimsOf(acceptance, stored[index] ?? null, bytes[index] ?? 0));
    },
    claim: async (request) => {
      const { columns, ...rest } = await thread.call('claim', request);
      return { claims: rowsOf(columns).map((row) => fromRow(row, request.destination)), ...rest };
    },
    proveWritable: () => thread.prove(),
    close: () => thread.close(),
  };
}

function claimsOf(
  { message, routes }: Acceptance,
  deliveries: readonly number[] | null,
  bytes: number,
): Claim[] | 'duplicate' {
  if (deliveries === null) return 'duplicate';
  return routes.flatMap(({ destination, claimed }, index) => {
    const delivery = deliveries[index];
    if (delivery === undefined) throw new StoreUnavailable('the store answered fewer deliveries than it was given');
    return claimed ? [{ delivery, destination, message, bytes, round: 1, tries: 0, closed: [] }] : [];
  });
}

function fromRow(row: ClaimRow, destination: string): Claim {
  // Both were written by this store as JSON of these types.
  const event: Event = JSON.parse(row.event);
  const closed: string[] = row.closed === '[]' ? [] : JSON.parse(row.closed);
  const message = { source: row.source, receivedAt: row.receivedAt, event };
  const { delivery, round, tries, earlierRounds } = row;
  const earlier = earlierRounds === 0 ? {} : { earlierRounds };
  return { delivery, destination, message, bytes: row.event.length, round, tries, ...earlier, closed };
}
