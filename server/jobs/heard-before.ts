import type { Computation } from '../audiences/computations.ts';
import type { Sync } from '../model/sync.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

/** Syncs of which one was computed, unless it goes on failing. */
const LOOKED_BACK = 20;

interface Ports {
  readonly config: Pick<ConfigStore, 'get'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs'>;
}

/**
 * The destinations of a computation that have heard what they were told: not those that were made since its last run, as another
 * of the same name may have been told before, and deleted (AUD-3). One of the very moment of that run is told once more.
 */
export async function heardBefore(
  { destinations }: Pick<Computation, 'destinations'>,
  { computation, number }: Pick<Sync, 'computation' | 'number'>,
  { config, tellings }: Ports,
): Promise<readonly string[]> {
  const before = await tellings.listSyncs({ computation, before: number, limit: LOOKED_BACK });
  const last = before.find(({ computed }) => computed !== undefined) ?? before.at(-1);
  if (last === undefined) return [];
  const rows = await Promise.all(destinations.map((name) => config.get('destinations', name)));
  return rows.flatMap((row) => (row === undefined || Date.parse(row.create_time) >= last.startedAt ? [] : [row.name]));
}
