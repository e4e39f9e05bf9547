import type { SyncState } from '../model/sync.ts';
import type { Next } from './runner.ts';

export interface SyncEnd {
  readonly state: Exclude<SyncState, 'RUNNING'>;
  /** Of one that failed. */
  readonly reason?: string;
}

/** What a step of a sync leads to: the next one, or its end; 'over' where it has ended already. */
export type SyncNext = Next | SyncEnd;
