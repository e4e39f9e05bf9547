import type { Moment } from '../../../ports/clock.ts';
import type { Backlog, Claimed, ClaimRequest, RoundRecord, Unfinished } from '../../delivery-store.ts';
import type { DeliveryStory, HourlyCount, LogPage, LogQuery } from '../../delivery-log.ts';
import type { NewReplay, Replay, ReplayAnswer, ReplayProgress, ReplayStep } from '../../replay-store.ts';
import type { SweepRequest, Swept } from '../../retention-store.ts';
import type { ForgetRequest, Forgotten } from '../../user-data-store.ts';
import type { AcceptanceColumns } from './acceptance-columns.ts';
import type { Columns } from './columns.ts';

/** A claim as it comes back from the thread. */
export interface ClaimRow {
  readonly delivery: number;
  readonly source: string;
  readonly receivedAt: number;
  readonly event: string;
  readonly round: number;
  readonly tries: number;
  readonly earlierRounds: number;
  readonly closed: string;
}

/** One resource below a destination. */
export interface Item {
  readonly destination: string;
  readonly id: number;
}

/** What the log can be asked; nothing of it changes anything. */
export interface LogOperations {
  list(request: LogQuery): LogPage;
  read(item: Item): DeliveryStory | undefined;
  counts(range: { readonly destination: string; readonly from: number; readonly to: number }): readonly HourlyCount[];
}

export interface ReplayOperations {
  replay(item: Item & { readonly at: Moment }): ReplayAnswer;
  createReplay(replay: NewReplay): Replay;
  getReplay(item: Item): Replay | undefined;
  listReplays(page: {
    readonly destination: string;
    readonly after: number;
    readonly limit: number;
  }): readonly Replay[];
  cancelReplay(item: Item & { readonly now: number }): Replay | undefined;
  stepReplay(step: ReplayStep): ReplayProgress | undefined;
  runningReplays(): readonly Replay[];
}

/** What the thread can be asked to do, and what it answers. */
export interface Operations extends LogOperations, ReplayOperations {
  /** The ids of the deliveries of each acceptance, in the order of its routes; null for a duplicate. */
  accept(columns: AcceptanceColumns): readonly (readonly number[] | null)[];
  claim(request: ClaimRequest): Omit<Claimed, 'claims'> & { readonly columns: Columns<ClaimRow> };
  record(rounds: readonly RoundRecord[]): void;
  release(deliveries: readonly number[]): void;
  recover(now: number): number;
  backlog(): readonly Backlog[];
  unfinished(): readonly Unfinished[];
  sweep(request: SweepRequest): Swept;
  forget(request: ForgetRequest): Forgotten;
}

export type OperationName = keyof Operations;

/** What is told of the transaction of a group of calls. */
export interface Witness {
  committing(): void;
  committed(): void;
  rolledBack(): void;
}

export interface Call {
  readonly name: OperationName;
  readonly argument: unknown;
}

/** To the thread: calls that share one commit, with those of other groups that wait there, or `alone`. */
export interface Group {
  readonly calls: readonly Call[];
  readonly alone?: true;
}

/**
 * From the thread, for one commit: the result of each of its calls, or why nothing of them was stored. They are the
 * first of those that have not been answered, in the order in which they were asked.
 */
export type GroupResult = { readonly results: readonly unknown[] } | { readonly error: string; readonly calls: number };

/** From the thread, once: the file is open, or why it cannot be. */
export type Opened = { readonly opened: true } | { readonly opened: false; readonly error: string };
