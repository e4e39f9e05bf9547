import type { Readable } from 'node:stream';
import type { operations } from '../../generated/config-api.d.ts';
import type { AddressGuard } from '../delivery/address-guard.ts';
import type { ReadQueues } from '../delivery/waiting-queues.ts';
import type { Handlers } from '../http/contract.ts';
import type { Turns } from '../fairness/turns.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { DeliveryLog } from '../storage/delivery-log.ts';
import type { Members, Router } from '../storage/members.ts';
import type { ProfileStorage } from '../storage/profile-storage.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import type { JobStorage } from '../storage/job-storage.ts';
import type { LossReader } from '../losses/loss-reader.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Directory } from '../directory/directory.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { LiveEvents } from '../events/live-events.ts';
import type { SettingInForce } from '../settings/settings.ts';
import type { Caller } from './callers.ts';
import type { NewNames } from './new-names.ts';

/** What has become of events, and the ways to send them again. */
export interface Deliveries {
  readonly log: DeliveryLog;
  readonly storage: Pick<JobStorage, 'replay' | 'createReplay' | 'getReplay' | 'listReplays' | 'cancelReplay'>;
  /** Told that deliveries of a destination are due on disk. */
  readonly wake: (destination: string) => void;
  /** What waits. */
  readonly queues: ReadQueues;
}

export interface AnsweringRouter extends Pick<Router, 'name'> {
  /** In force. */
  readonly settings: readonly SettingInForce[];
}

/** What every handler of the Config API is given. */
export interface Env {
  readonly live: LiveEvents;
  readonly store: ConfigStore;
  readonly clock: Clock;
  /** Drawn so that nobody can guess them where it is absent. */
  readonly newNames?: NewNames;
  /** Absent where nothing is delivered: what needs it answers 501. */
  readonly deliveries?: Deliveries;
  /** Told that there is work of a kind: `regulations`, `replays`, `audiences`. */
  readonly jobs: Pick<JobRunner, 'look'>;
  readonly directory: Pick<Directory, 'suppressed' | 'connections' | 'computations' | 'workspaces' | 'refresh'>;
  /** Absent where no profiles are kept: what needs them answers 501. */
  readonly profiles?: Pick<
    ProfileStorage,
    'results' | 'profile' | 'preview' | 'previewsAtOnce' | 'erase' | 'fold' | 'lastCaught'
  >;
  /** The syncs of audiences and computed traits; absent likewise. */
  readonly tellings?: Pick<TellingStorage, 'listSyncs' | 'startSync' | 'endSync' | 'waiting'>;
  /** Absent where the storage has tools of its own for backups. */
  readonly backup?: () => Promise<Readable>;
  /** Where webhooks may lead (D-28). */
  readonly addressGuard: AddressGuard;
  /** What of events was lost, and what of filters and tracking plans could not be decided. */
  readonly losses: LossReader;
  /** Told of the latter. */
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
  /** What of quotas is used up. */
  readonly quotas: Pick<Quotas, 'used'>;
  /** Which routers run. */
  readonly members: Pick<Members, 'members'>;
  /** How long ended deliveries stay readable. */
  readonly retentionMs: number;
  /** The one that answers. */
  readonly router: AnsweringRouter;
}

/** One handler for each operation of the document. */
export type ConfigHandlers = Handlers<operations, Caller>;
