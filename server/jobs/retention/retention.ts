import { type Clock, momentOf } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { JobStorage } from '../../storage/job-storage.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** So many rows of each kind are looked at in one transaction: a few milliseconds … */
const BATCH = 250;
/** … and then the others have their turn. */
const BETWEEN_BATCHES_MS = 10;
const BETWEEN_SWEEPS_MS = 10 * MINUTE;

/** Message ids are known again for this long, and a little longer (D-43). */
const SEEN_MS = DAY;

export interface RetentionOptions {
  readonly store: Pick<JobStorage, 'purge'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long deliveries stay readable after their end. */
  readonly retentionMs: number;
}

export interface Retention {
  stop(): Promise<void>;
}

/** Forgets what is older than the retention, now and every few minutes, in small batches with pauses between them. */
export function startRetention(options: RetentionOptions): Retention {
  const abort = new AbortController();
  const work = sweepForEver(options, abort.signal);
  return {
    stop: async () => {
      abort.abort();
      await work;
    },
  };
}

async function sweepForEver(options: RetentionOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, retentionMs } = options;
  while (!signal.aborted) {
    try {
      const { deliveries, ids } = await sweepAll(options, signal);
      if (deliveries + ids > 0) log.info({ deliveries, ids }, 'old deliveries and message ids forgotten');
    } catch (error) {
      log.error({ reason: String(error) }, 'retention could not go on, trying again later');
    }
    await clock.sleep(Math.min(BETWEEN_SWEEPS_MS, retentionMs), signal);
  }
}

/** One walk from the oldest delivery to the first that is too young. */
async function sweepAll(
  { store, clock, retentionMs }: RetentionOptions,
  signal: AbortSignal,
): Promise<{ deliveries: number; ids: number }> {
  const { wall, steady } = momentOf(clock);
  // Ends are dated by the wall. By whichever of the clocks reads less nothing goes early, however the wall was set.
  const bounds = { endedBefore: Math.min(wall, steady) - retentionMs, seenBefore: steady - SEEN_MS };
  const sum = { deliveries: 0, ids: 0 };
  let after: string | undefined;
  do {
    const swept = await store.purge({ ...bounds, after, limit: BATCH });
    sum.deliveries += swept.deliveries;
    sum.ids += swept.ids;
    after = swept.next;
    if (after !== undefined) await clock.sleep(BETWEEN_BATCHES_MS, signal);
  } while (after !== undefined && !signal.aborted);
  return sum;
}
