import { type Clock, type Moment, momentOf } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { JobStorage } from '../storage/job-storage.ts';
import { isNameFree, type Keeping } from '../storage/resources/removed-workspaces.ts';
import type { SharedState } from '../storage/shared-state.ts';
import type { Job, JobKind } from './runner.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** So many rows of each kind are looked at in one transaction: a few milliseconds … */
const BATCH = 250;
/** … and then the others have their turn. */
const BETWEEN_BATCHES_MS = 10;
const BETWEEN_PURGES_MS = 10 * MINUTE;

/** Message ids are known again for this long, and a little longer (D-43). */
const SEEN_MS = DAY;

export interface RetentionPorts {
  readonly storage: Pick<JobStorage, 'purge'>;
  readonly config: Pick<ConfigStore, 'list' | 'remove'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long deliveries stay readable after their end. */
  readonly retentionMs: number;
  /** Where routers share more than deliveries. */
  readonly shared?: Pick<SharedState, 'tidy'> | undefined;
}

/** Deletes what is older than the retention, in small batches with pauses between them, and again every few minutes. */
export function retention(ports: RetentionPorts): JobKind {
  const startedAt = ports.clock.steady();
  return { name: 'retention', atOnce: 1, find: () => Promise.resolve([purgeJob(ports, startedAt)]) };
}

/** From the oldest delivery to the first that is too young, over and over. */
function purgeJob({ storage, config, clock, log, retentionMs, shared }: RetentionPorts, startedAt: number): Job {
  let after: string | undefined;
  let sum = { deliveries: 0, ids: 0 };
  return {
    name: 'purge',
    async step() {
      const { wall, steady } = momentOf(clock);
      // Ends are dated by the wall. By whichever of the clocks reads less nothing goes early, however the wall was set.
      const usedBefore = Math.min(wall, steady);
      const bounds = { endedBefore: usedBefore - retentionMs, seenBefore: steady - SEEN_MS, usedBefore };
      const { deliveries, ids, next } = await storage.purge({ ...bounds, after, limit: BATCH });
      sum = { deliveries: sum.deliveries + deliveries, ids: sum.ids + ids };
      after = next;
      if (next !== undefined) return BETWEEN_BATCHES_MS;
      await shared?.tidy();
      await freeNames(config, { wall, steady }, { retentionMs, startedAt });
      if (sum.deliveries + sum.ids > 0) log.info(sum, 'old deliveries and message ids deleted');
      sum = { deliveries: 0, ids: 0 };
      return Math.min(BETWEEN_PURGES_MS, retentionMs);
    },
  };
}

/** The first of those that were removed, so that one purge changes little; the others have theirs. */
async function freeNames(config: RetentionPorts['config'], now: Moment, keeping: Keeping): Promise<void> {
  const removed = await config.list('removed-workspaces', '', { after: 0, limit: BATCH });
  for (const { resource } of removed)
    if (isNameFree(resource, now, keeping)) await config.remove('removed-workspaces', resource.name);
}
