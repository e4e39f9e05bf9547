import type { NewReplay, Replay } from '../model/replay.ts';
import type { Moment } from '../ports/clock.ts';
import type { DeliveryOf } from './delivery-log.ts';

/** So often a delivery is replayed: what is kept of each try, and goes with it in one piece, stays small. */
export const MAX_REPLAYS = 100;

/**
 * Why a delivery could not be replayed: there is none, it has not ended yet, it was replayed `MAX_REPLAYS` times, or it tells of a user
 * what is not the last that its destination was told (AUD-8).
 */
export type ReplayAnswer = 'replayed' | 'not ended' | 'missing' | 'too often' | 'superseded';

export interface ReplayStep {
  readonly replay: number;
  readonly at: Moment;
  /** How many deliveries it may replay … */
  readonly limit: number;
  /** … while fewer than this wait for the destination. */
  readonly waitingLimit: number;
}

export interface ReplayProgress {
  readonly replay: Replay;
  /** Replayed by this step. */
  readonly replayed: number;
  /** True when it did nothing because so many wait for the destination already. */
  readonly held: boolean;
}

export interface PurgeRequest {
  /** What ended before this goes, with its attempts, and its message with the last of its deliveries. */
  readonly endedBefore: number;
  /** Message ids seen before this go. */
  readonly seenBefore: number;
  /** What was used once, and is remembered until then at most, by the wall; as `Use` has it. */
  readonly usedBefore: number;
  /** Where the purge before this one stopped; absent begins at the oldest. */
  readonly after?: string | undefined;
  /** So many rows of each kind are looked at. */
  readonly limit: number;
}

export interface Purged {
  readonly deliveries: number;
  readonly ids: number;
  /** Where to go on; undefined when the rest is too young. */
  readonly next: string | undefined;
}

export interface ErasureRequest {
  /**
   * Full name of a source whose messages are looked at, or of a workspace: then those of each of its sources, also of one
   * that was deleted since.
   */
  readonly scope: string;
  readonly userIds: readonly string[];
  readonly now: number;
  /** Where the call before this one stopped; absent begins at the oldest. */
  readonly after?: string | undefined;
  /** So many deliveries are looked at. */
  readonly limit: number;
}

export interface Erased {
  readonly deliveries: number;
  /** Where to go on; undefined when everything was looked at, also what was stored meanwhile. */
  readonly next: string | undefined;
}

/** A store of an earlier version may have any number of replays beyond those that are kept: so many go with each new one. */
export const REMOVED_AT_ONCE = 10;

export interface ReplayRequest extends NewReplay {
  /** How many may run in its workspace, this one among them. */
  readonly mostRunning: number;
  /** How many of its destination are kept that have ended: of what is beyond, some of the oldest go. */
  readonly mostKept: number;
}

/** One bulk replay of a destination. */
export interface ReplayOf {
  readonly destination: string;
  readonly id: number;
}

/** Bulk replays of a destination with a greater id. */
export interface ReplaysQuery {
  readonly destination: string;
  readonly after: number;
  readonly limit: number;
}

export interface LeaseRequest {
  /** The job's name, unique in this storage: `replays/12`. */
  readonly job: string;
  /** How long it is to be had, from now on by the storage's own clock; 0 gives it back. */
  readonly forMs: number;
}

/**
 * What background work asks of the storage. Each call is one transaction that looks at a bounded number of rows, so that a
 * job never holds up what is being delivered, and goes on after a restart exactly where it was.
 */
export interface JobStorage {
  /**
   * Whether the node of this handle has the job from now on: nobody had it, the lease of whoever had it has ended, or it
   * has it already, and then its lease is a new one. What another node has stays as it is, also when given back. A step of
   * a node whose lease has ended meanwhile does no harm: a step may be repeated, and is one transaction.
   */
  leaseJob(request: LeaseRequest): Promise<boolean>;
  /**
   * Sends an ended delivery again (D-30): pending and due at once, with a fresh window and schedule; its log stays. One of a
   * computation is only while it is the last that its destination was told of the user, as `told` has it.
   */
  replay(request: DeliveryOf & { readonly at: Moment }): Promise<ReplayAnswer>;
  /**
   * The job looks at the deliveries that are stored at this moment, and at none that comes later. Undefined where so many run in
   * its workspace already; of those that come at one moment a few more may begin.
   */
  createReplay(request: ReplayRequest): Promise<Replay | undefined>;
  getReplay(replay: ReplayOf): Promise<Replay | undefined>;
  /** In order of creation. */
  listReplays(query: ReplaysQuery): Promise<readonly Replay[]>;
  /** A job that has ended stays as it is. */
  cancelReplay(request: ReplayOf & { readonly now: number }): Promise<Replay | undefined>;
  /**
   * One step of a job that is running, which replays nothing twice, and passes over what `replay` refuses; undefined
   * when it is not running, or is no more.
   */
  stepReplay(step: ReplayStep): Promise<ReplayProgress | undefined>;
  /** All jobs that are running, of every destination. */
  runningReplays(): Promise<readonly Replay[]>;
  /** Deletes what is old; the space is used again, or given back to the disk. */
  purge(request: PurgeRequest): Promise<Purged>;
  /**
   * Deletes what is stored of users: messages that carry one of the ids as `userId` or, in an alias, as `previousId`, with
   * their deliveries and attempts, whatever their state. Messages of type `delete` stay: they tell of the deletion. Asking
   * again does no harm.
   */
  eraseUsers(request: ErasureRequest): Promise<Erased>;
}
