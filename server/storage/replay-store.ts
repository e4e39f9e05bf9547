import type { Moment } from '../ports/clock.ts';
import type { LogFilter } from './delivery-log.ts';

/** Why a delivery could not be replayed: there is none, or it has not ended yet. */
export type ReplayAnswer = 'replayed' | 'not ended' | 'missing';

export type ReplayState = 'running' | 'finished' | 'cancelled';

export interface NewReplay {
  readonly destination: string;
  readonly filter: LogFilter;
  /** True: only count what would be replayed. */
  readonly dryRun: boolean;
  readonly perSecond: number;
  readonly createdAt: number;
}

/** A bulk replay: a stored job that goes through the log of a destination once, oldest first. */
export interface Replay extends NewReplay {
  readonly id: number;
  readonly state: ReplayState;
  /** Deliveries that it has looked at so far … */
  readonly examined: number;
  /** … and those that the filter chose: replayed, or in a dry run counted. */
  readonly matched: number;
  readonly endedAt?: number;
}

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

/**
 * Sends ended deliveries again (D-30): such a delivery is pending and due at once, with a fresh window and schedule; its
 * earlier rounds and attempts stay in the log. Each call is one transaction, so a job goes on after a restart exactly
 * where it was, and replays nothing twice.
 */
export interface ReplayStore {
  replay(destination: string, delivery: number, at: Moment): Promise<ReplayAnswer>;
  /** The job looks at the deliveries that are stored at this moment, and at none that comes later. */
  createReplay(replay: NewReplay): Promise<Replay>;
  getReplay(destination: string, id: number): Promise<Replay | undefined>;
  /** Jobs of a destination with a greater id, in order of creation. */
  listReplays(
    destination: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly Replay[]>;
  /** A job that has ended stays as it is. */
  cancelReplay(destination: string, id: number, now: number): Promise<Replay | undefined>;
  /** One bounded step of a job that is running; undefined when it is not, or is no more. */
  stepReplay(step: ReplayStep): Promise<ReplayProgress | undefined>;
  /** All jobs that are running, of every destination. */
  runningReplays(): Promise<readonly Replay[]>;
}
