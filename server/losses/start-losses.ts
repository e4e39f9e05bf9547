import { createAcceptedEvents } from './accepted-events.ts';
import type { Instruments } from '../operations/metrics/registry.ts';
import type { Log } from '../ports/log.ts';
import type { Storage } from '../storage/storage.ts';
import { systemClock } from '../system-clock.ts';
import { countAccepted } from './accepted-hours.ts';
import { createDroppedEvents } from './dropped-events.ts';
import type { ItemEraser } from './erase-items.ts';
import { forgetErased } from './forget-erased.ts';
import { forgetRemoved } from './forget-removed.ts';
import { HourlyCounts } from './hourly-counts.ts';
import { type LossReader, type LossSinks, ownLosses } from './loss-reader.ts';
import { measuredLosses } from './measured-losses.ts';
import { SharedLosses } from './shared-losses.ts';
import { countedArrivals, createTraffic } from './traffic.ts';
import { createUndecided } from './undecided.ts';
import { createUnknownKeys } from './unknown-keys.ts';
import { createViolations } from './violations.ts';

interface LossParts {
  /** Told of what is lost … */
  readonly sinks: LossSinks;
  /** … and asked for it. */
  readonly losses: LossReader & ItemEraser;
  readonly hours: HourlyCounts;
}

/** Closed after all that loses anything, and before the storage. */
export async function startLosses(
  { shared, counting, resources }: Pick<Storage, 'shared' | 'counting' | 'resources'>,
  log: Log,
  instruments: Instruments,
  opened: AsyncDisposableStack,
): Promise<LossParts> {
  const hours = new HourlyCounts({ storage: counting, clock: systemClock, log });
  hours.start();
  opened.defer(() => hours.stop());
  const counted = (sinks: LossSinks): LossSinks =>
    countedArrivals(measuredLosses(sinks, instruments), countAccepted(hours));
  if (shared === undefined) {
    const unknownKeys = createUnknownKeys({ clock: systemClock, log });
    const kept = { dropped: createDroppedEvents(), violations: createViolations(), undecided: createUndecided() };
    const traffic = createTraffic(systemClock);
    const own = { ...kept, accepted: createAcceptedEvents(), unknownKeys, traffic };
    opened.defer(await forgetRemoved(resources, own));
    return { sinks: counted(own), losses: ownLosses(own, systemClock), hours };
  }
  const losses = new SharedLosses({ storage: shared, clock: systemClock, log });
  losses.start();
  opened.defer(await forgetErased(resources, losses));
  opened.defer(() => losses.stop());
  return { sinks: counted(losses.sinks), losses, hours };
}
