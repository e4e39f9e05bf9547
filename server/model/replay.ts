import type { LogFilter } from './logged-delivery.ts';

export type ReplayState = 'running' | 'finished' | 'cancelled';

/** So many replays of a workspace run at once: dry ones too. */
export const MAX_RUNNING_REPLAYS = 100;
/** So many of a destination are kept that have ended, the last ones. */
export const MAX_KEPT_REPLAYS = 1_000;

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
  /** … and those that the filter chose and that may be sent again: replayed, or in a dry run counted. */
  readonly matched: number;
  readonly endedAt?: number;
}
