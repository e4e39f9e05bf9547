import type { Moment } from '../../../ports/clock.ts';
import { StoreUnavailable } from '../../config-store.ts';
import type {
  Acceptance,
  Backlog,
  Claim,
  Claimed,
  ClaimRequest,
  DeliveryStore,
  RoundRecord,
  Unfinished,
} from '../../delivery-store.ts';
import type { DeliveryLog, DeliveryStory, HourlyCount, LogPage, LogQuery } from '../../delivery-log.ts';
import type { Event } from '../../../model/message.ts';
import type { NewReplay, Replay, ReplayAnswer, ReplayProgress, ReplayStep, ReplayStore } from '../../replay-store.ts';
import type { RetentionStore, SweepRequest, Swept } from '../../retention-store.ts';
import type { ForgetRequest, Forgotten, UserDataStore } from '../../user-data-store.ts';
import { columnsOf } from './acceptance-columns.ts';
import type { ClaimRow } from './calls.ts';
import { rowsOf } from './columns.ts';
import { openSqliteThread, type SqliteThread } from './sqlite-thread.ts';

/** Opens the store in one file, made when there is none. Rejects with a message that names the file. */
export async function openSqliteDeliveryStore(path: string, thread?: URL): Promise<SqliteDeliveryStore> {
  return new SqliteDeliveryStore(await openSqliteThread(path, thread));
}

/** Messages, deliveries and their log in SQLite. Accepted messages stay in memory on their way to the dispatcher. */
export class SqliteDeliveryStore implements DeliveryStore, DeliveryLog, ReplayStore, RetentionStore, UserDataStore {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async accept(acceptances: readonly Acceptance[]): Promise<(Claim[] | 'duplicate')[]> {
    const columns = columnsOf(acceptances);
    const stored = await this.#thread.call('accept', columns);
    const bytes = columns.acceptances.event.map((event) => event.length);
    return acceptances.map((acceptance, index) => claimsOf(acceptance, stored[index] ?? null, bytes[index] ?? 0));
  }

  async claim(request: ClaimRequest): Promise<Claimed> {
    const { columns, ...rest } = await this.#thread.call('claim', request);
    return { claims: rowsOf(columns).map((row) => fromRow(row, request.destination)), ...rest };
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

  unfinished(): Promise<readonly Unfinished[]> {
    return this.#thread.call('unfinished', undefined);
  }

  list(request: LogQuery): Promise<LogPage> {
    return this.#thread.call('list', request);
  }

  read(destination: string, delivery: number): Promise<DeliveryStory | undefined> {
    return this.#thread.call('read', { destination, id: delivery });
  }

  counts(destination: string, from: number, to: number): Promise<readonly HourlyCount[]> {
    return this.#thread.call('counts', { destination, from, to });
  }

  replay(destination: string, delivery: number, at: Moment): Promise<ReplayAnswer> {
    return this.#thread.call('replay', { destination, id: delivery, at });
  }

  createReplay(replay: NewReplay): Promise<Replay> {
    return this.#thread.call('createReplay', replay);
  }

  getReplay(destination: string, id: number): Promise<Replay | undefined> {
    return this.#thread.call('getReplay', { destination, id });
  }

  listReplays(destination: string, page: { after: number; limit: number }): Promise<readonly Replay[]> {
    return this.#thread.call('listReplays', { destination, ...page });
  }

  cancelReplay(destination: string, id: number, now: number): Promise<Replay | undefined> {
    return this.#thread.call('cancelReplay', { destination, id, now });
  }

  stepReplay(step: ReplayStep): Promise<ReplayProgress | undefined> {
    return this.#thread.call('stepReplay', step);
  }

  runningReplays(): Promise<readonly Replay[]> {
    return this.#thread.call('runningReplays', undefined);
  }

  sweep(request: SweepRequest): Promise<Swept> {
    return this.#thread.call('sweep', request);
  }

  forget(request: ForgetRequest): Promise<Forgotten> {
    return this.#thread.call('forget', request);
  }

  /** Rejects with why nothing can be written now. */
  proveWritable(): Promise<void> {
    return this.#thread.prove();
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
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
