import type { Sync } from '../model/sync.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

/** Syncs of which one was computed, unless it goes on failing. */
const LOOKED_BACK = 20;

interface Ports {
  readonly config: Pick<ConfigStore, 'get'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs' | 'toldDestinations'>;
}

/**
 * The destinations that have heard what they were told of a computation, those too that were taken off it: not those that are gone,
 * nor those that were made since its last run, as another of the same name may have been told before, and deleted (AUD-3). One of
 * the very moment of that run is told once more.
 */
export async function heardBefore(
  { computation, number }: Pick<Sync, 'computation' | 'number'>,
  { config, tellings }: Ports,
): Promise<readonly string[]> {
  const before = await tellings.listSyncs({ computation, before: number, limit: LOOKED_BACK });
  const last = before.find(({ computed }) => computed !== undefined) ?? before.at(-1);
  if (last === undefined) return [];
  const told = await tellings.toldDestinations({ computation });
  const rows = await Promise.all(told.map((name) => config.get('destinations', name)));
  return rows.flatMap((row) => (row === undefined || Date.parse(row.create_time) >= last.startedAt ? [] : [row.name]));
}
