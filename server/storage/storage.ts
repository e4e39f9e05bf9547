import type { ConfigStore } from './config-store.ts';
import type { CountStorage, DeliveryLog } from './delivery-log.ts';
import type { DeliveryStorage } from './delivery-storage.ts';
import type { JobStorage } from './job-storage.ts';
import type { Members } from './members.ts';
import type { ProfileStorage } from './profile-storage.ts';
import type { SharedState } from './shared-state.ts';
import type { Snapshot } from './snapshot.ts';
import type { TellingStorage } from './telling-storage.ts';
import type { UsedIds } from './used-ids.ts';

/** One thing that has to be writable for what requests bring to be stored. */
export interface WriteCheck {
  /** As operators know it: `delivery store`. */
  readonly name: string;
  /** Really writes, a little; rejects with why it cannot, in words that anybody may read. */
  readonly attempt: () => Promise<void>;
  /** How many writes of others have failed: that it could be written before the last of them says nothing any more. */
  readonly failures: () => number;
}

/** All that the router keeps. An engine passes the suites in `server/tests/conformance/`. */
export interface Storage {
  readonly resources: ConfigStore;
  /** Messages and deliveries … */
  readonly deliveries: DeliveryStorage;
  /** … as those see them who look back … */
  readonly log: DeliveryLog;
  /** … what others count beside them … */
  readonly counting: CountStorage;
  /** … what may be used once … */
  readonly usedIds: UsedIds;
  /** … and background work. */
  readonly jobs: JobStorage;
  /** What destinations were told of audiences and computed traits. */
  readonly tellings: TellingStorage;
  /** What is known of users, and what runs found. */
  readonly profiles: ProfileStorage;
  /** Which routers share it. */
  readonly members: Members;
  /** Absent where nothing is ever encrypted. */
  readonly resealing?: Resealing;
  /** Absent where one router has the storage alone, and keeps to itself what others would share. */
  readonly shared?: SharedState;
  /** Whether each part can write now. */
  readonly checks: readonly WriteCheck[];
  /**
   * Takes all that is kept, as it stands after what was asked before. Throws SnapshotUnderWay. Absent where other tools do
   * that.
   */
  readonly snapshot?: () => Promise<Snapshot>;
  /** Waits until all that was asked is on disk, then ends. */
  close(): Promise<void>;
}

/** Brings what is stored to the newest key, or back to clear, in steps that may be repeated. */
export interface Resealing {
  /** How many stored rows hold secrets that are not encrypted as they would be written now. */
  left(): Promise<number>;
  /** Writes some of them anew; answers how many, and 0 once it has been through all. */
  step(): Promise<number>;
}
