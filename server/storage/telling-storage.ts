import type { Message } from '../model/message.ts';
import type { Sync, SyncBasis, SyncCounts, SyncCursor, SyncState } from '../model/sync.ts';

export interface ToldQuery {
  readonly destination: string;
  readonly computation: string;
  /** Users behind this one, in the order of their UTF-8. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What a destination was last told of a user. */
export interface Told {
  readonly user: string;
  /** JSON; undefined where it may not have heard the last telling, so that whatever holds now is to be told. */
  readonly value: string | undefined;
}

export interface ToldPage {
  /** Changes with each erasure of users: what was decided by an earlier one may concern one who is gone. */
  readonly erasures: number;
  readonly told: readonly Told[];
}

/** One call about one user. */
export interface Telling {
  readonly user: string;
  /** JSON. */
  readonly value: string;
  readonly message: Message;
  /** As that of a route. */
  readonly line?: number | undefined;
}

export interface TellRequest {
  readonly computation: string;
  readonly sync: number;
  readonly destination: string;
  /** Of the page by which this was decided. */
  readonly erasures: number;
  readonly tellings: readonly Telling[];
  /** Users who are not to be told anything, and forgotten, as they were erased. */
  readonly forgotten: readonly string[];
  /** Users who are not to be told anything for now: what waits for them is cancelled as by a later value, and told stays. */
  readonly silenced: readonly string[];
  /** Where the sync stands afterwards. */
  readonly cursor: SyncCursor;
  /** By the wall. */
  readonly now: number;
}

/** `stale`: nothing was done, as users were erased meanwhile. `over`: the sync does not run any more. */
export type TellAnswer = 'stale' | 'over' | { readonly sync: Sync; readonly heldBack: readonly string[] };

export interface SettleRequest {
  readonly computation: string;
  readonly sync: number;
  readonly limit: number;
}

/** What is told to destinations, and the syncs by which it is. Each call is one transaction over a bounded number of rows. */
export interface TellingStorage {
  /** The last sync of each computation, or of one, and all that run or have tellings that have not ended. */
  openSyncs(of?: { readonly computation: string }): Promise<readonly Sync[]>;
  /** So many of each, newest first, of those with a lower number than `before`. */
  listSyncs(query: {
    readonly computations: readonly string[];
    readonly before?: number | undefined;
    readonly limit: number;
  }): Promise<readonly Sync[]>;
  getSync(which: { readonly computation: string; readonly number: number }): Promise<Sync | undefined>;
  /** A new one, RUNNING; the one that runs already, where one does. */
  startSync(request: { readonly computation: string; readonly now: number }): Promise<Sync>;
  /** From now on the destinations are told. Undefined where it does not run any more. */
  computedSync(request: {
    readonly computation: string;
    readonly number: number;
    readonly counts: SyncCounts;
    readonly basis?: SyncBasis | undefined;
    readonly destinations: readonly string[];
  }): Promise<Sync | undefined>;
  /** One that has ended stays as it is; undefined when there is none. */
  endSync(request: {
    readonly computation: string;
    readonly number: number;
    readonly state: Exclude<SyncState, 'RUNNING'>;
    readonly reason?: string | undefined;
    readonly now: number;
  }): Promise<Sync | undefined>;
  told(query: ToldQuery): Promise<ToldPage>;
  /** Full names of the destinations of which it is known what they were told of a computation. */
  toldDestinations(query: { readonly computation: string }): Promise<readonly string[]>;
  /**
   * In one transaction: what waits for this user of this computation at this destination is cancelled; the message and its one
   * delivery are stored, pending and due at once; told is what the telling says; the sync counts it and has its cursor. A user to whom
   * an earlier telling is just being sent is held back: told stays, and the sync counts it as held until it is told. Who is to be
   * silenced meanwhile is held back too, and not counted. A sync tells a user once, so that
   * a repetition does no harm. So that what is live goes first, the caller waits while too much does (see `waiting`).
   */
  tell(request: TellRequest): Promise<TellAnswer>;
  /** How many deliveries wait for a destination, counted up to the limit. */
  waiting(query: { readonly destination: string; readonly limit: number }): Promise<number>;
  /**
   * Looks at tellings of a sync that have ended, and counts each once. Of one that expired or was cancelled (superseded, or its
   * destination was disabled), told loses its value unless something was told since, so that the next run tells it again.
   */
  settle(request: SettleRequest): Promise<{ readonly sync: Sync | undefined; readonly isMore: boolean }>;
  /**
   * Forgets what destinations that are not to be kept were told of a computation, and cancels what waits for them, which would come
   * behind what they are told next; of who is just being sent something, told loses its value. With none given its syncs are
   * forgotten too, as it was deleted, and what waits is sent. A bounded part: answers whether more is left.
   */
  forgetTold(request: {
    readonly computation: string;
    readonly keep?: readonly string[] | undefined;
    readonly limit: number;
    /** By the wall. */
    readonly now: number;
  }): Promise<boolean>;
}
