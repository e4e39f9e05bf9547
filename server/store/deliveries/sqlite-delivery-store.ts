import { StoreUnavailable } from '../../ports/config-store.ts';
import type {
  Acceptance,
  Backlog,
  Claim,
  Claimed,
  ClaimRequest,
  DeliveryStore,
  RoundRecord,
} from '../../ports/delivery-store.ts';
import type { Event } from '../../ports/message.ts';
import type { AcceptanceRow, ClaimRow } from './calls.ts';
import { openSqliteThread, type SqliteThread } from './sqlite-thread.ts';

/** Opens the store in one file, made when there is none. Rejects with a message that names the file. */
export async function openSqliteDeliveryStore(path: string): Promise<DeliveryStore> {
  return new SqliteDeliveryStore(await openSqliteThread(path));
}

/** Messages and deliveries in SQLite. Accepted messages stay in memory on their way to the dispatcher. */
class SqliteDeliveryStore implements DeliveryStore {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async accept(acceptances: readonly Acceptance[]): Promise<(Claim[] | 'duplicate')[]> {
    const stored = await this.#thread.call('accept', acceptances.map(toRow));
    return acceptances.map((acceptance, index) => claimsOf(acceptance, stored[index] ?? null));
  }

  async claim(request: ClaimRequest): Promise<Claimed> {
    const { rows, ...rest } = await this.#thread.call('claim', request);
    return { claims: rows.map((row) => fromRow(row, request.destination)), ...rest };
  }

  record(rounds: readonly RoundRecord[]): Promise<void> {
    return this.#thread.call('record', rounds);
  }

  release(deliveries: readonly number[]): Promise<void> {
    return this.#thread.call('release', deliveries);
  }

  recover(now: number): Promise<number> {
    return this.#thread.call('recover', now);
  }

  backlog(): Promise<readonly Backlog[]> {
    return this.#thread.call('backlog', undefined);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function toRow({ message, routes }: Acceptance): AcceptanceRow {
  const { source, receivedAt, event } = message;
  return { source, messageId: event.messageId, receivedAt, event: JSON.stringify(event), routes };
}

function claimsOf({ message, routes }: Acceptance, deliveries: readonly number[] | null): Claim[] | 'duplicate' {
  if (deliveries === null) return 'duplicate';
  return routes.flatMap(({ destination, claimed }, index) => {
    const delivery = deliveries[index];
    if (delivery === undefined) throw new StoreUnavailable('the store answered fewer deliveries than it was given');
    return claimed ? [{ delivery, destination, message, round: 1, closed: [] }] : [];
  });
}

function fromRow(row: ClaimRow, destination: string): Claim {
  // Both were written by this store as JSON of these types.
  const event: Event = JSON.parse(row.event);
  const closed: string[] = JSON.parse(row.closed);
  const message = { source: row.source, receivedAt: row.receivedAt, event };
  return { delivery: row.delivery, destination, message, round: row.round, closed };
}
