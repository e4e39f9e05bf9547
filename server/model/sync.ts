export type SyncState = 'RUNNING' | 'DONE' | 'CANCELLED' | 'FAILED';

/** One run of an audience or computed trait, with what was told of it. */
export interface Sync {
  /** Full name of the audience or computed trait. */
  readonly computation: string;
  /** From 1 on, without gaps: the run's number as well. */
  readonly number: number;
  readonly state: SyncState;
  /** By the wall. */
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  /** Undefined until it is computed. */
  readonly computed?: SyncCounts | undefined;
  /** Undefined until it is computed, and of syncs of earlier versions. */
  readonly basis?: SyncBasis | undefined;
  /** Where the telling goes on; empty once every destination was told. */
  readonly cursor: SyncCursor;
  /** Users that were told, over all destinations … */
  readonly sent: number;
  /** … of whom these have heard it, could not be told for good, or not within the time for retries. */
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  /** What was cancelled: a later value came first, the destination was disabled, or the user was deleted. */
  readonly superseded: number;
  /** Users who could not be told yet, as something is on its way to them. */
  readonly held: number;
  /** Of a failed one. */
  readonly reason?: string | undefined;
}

export interface SyncCounts {
  readonly evaluated: number;
  readonly size: number;
  readonly entered: number;
  readonly left: number;
}

/** What a sync was computed of. Looked at for what is another now, not for what is later: routers have clocks of their own. */
export interface SyncBasis {
  /** ISO 8601: when the audience or computed trait was last changed. */
  readonly updateTime: string;
  /** Of what was computed, and whom it was to be told; undefined of syncs of earlier versions. */
  readonly digest?: string | undefined;
  /** ISO 8601: when each destination was made that is told, or was told before, by its full name. */
  readonly made: Readonly<Record<string, string>>;
  /** ISO 8601: the last event known of that exceeded the evaluation budget of its conditions, and so was left out. */
  readonly undecided?: string | undefined;
}

export interface SyncCursor {
  /** Full names of the destinations that are not done. The first is being told … */
  readonly destinations: readonly string[];
  /** … up to this user. */
  readonly after?: string | undefined;
  /** Users who were not told so far, as they are suppressed or filters of a destination leave them out; absent where none were. */
  readonly leftOut?: number | undefined;
  /** How many of them are of each destination that is not done; absent where none are. */
  readonly leftOutOf?: Readonly<Record<string, number>> | undefined;
  /** Full names of the destinations that could not hear when it was their turn; absent where all could. */
  readonly passedOver?: readonly string[] | undefined;
}
