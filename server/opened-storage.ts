import type { Seams } from './app.ts';
import { HealthWatch } from './notices/health-watch.ts';
import { measured } from './operations/metrics/measured-deliveries.ts';
import { measuredProfiles, measuredTellings } from './operations/metrics/measured-audiences.ts';
import type { Instruments } from './operations/metrics/registry.ts';
import type { Log } from './ports/log.ts';
import type { Settings } from './settings/settings.ts';
import { openStorage } from './storage/open-storage.ts';
import { createKeyring } from './storage/secrets/keyring.ts';
import type { Storage } from './storage/storage.ts';
import { systemClock } from './system-clock.ts';

export interface StorageParts {
  readonly seams: Seams;
  readonly instruments: Instruments;
  readonly opened: AsyncDisposableStack;
}

/** The storage of a router, with what passes through it counted, and watched for notices. */
export async function openedStorage(
  { storage: place, secretKeys }: Settings,
  log: Log,
  { seams, instruments, opened }: StorageParts,
): Promise<{ readonly storage: Storage; readonly health: HealthWatch }> {
  const storage = await openStorage(place, log, { ...seams, keyring: createKeyring(secretKeys) });
  opened.defer(() => storage.close());
  const own = seams.storage?.(storage) ?? storage;
  const health = new HealthWatch({ config: own.resources, clock: systemClock, log });
  const deliveries = measured(own.deliveries, instruments);
  const profiles = measuredProfiles(own.profiles, instruments);
  return { storage: { ...own, deliveries, profiles, tellings: measuredTellings(own.tellings, instruments) }, health };
}
