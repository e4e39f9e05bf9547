import type { Computation } from '../audiences/computations.ts';
import type { Sync, SyncBasis } from '../model/sync.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import { sinceComputed } from './since-computed.ts';

interface Ports {
  readonly config: Pick<ConfigStore, 'get'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs' | 'toldDestinations'>;
}

interface Heard {
  /** Full names of those that have heard what they were told. */
  readonly keep: readonly string[];
  /** When each that is told, or was told before, was made. */
  readonly made: SyncBasis['made'];
}

/**
 * The destinations that have heard what they were told of a computation, those too that were taken off it: not those that are gone,
 * nor those that were made since its last run, as another of the same name was told before, and deleted (AUD-3).
 */
export async function heardBefore(
  { destinations }: Pick<Computation, 'destinations'>,
  sync: Pick<Sync, 'computation' | 'number'>,
  { config, tellings }: Ports,
): Promise<Heard> {
  // The oldest of all, where none was computed.
  const last = (await sinceComputed(sync, tellings)).at(-1);
  const told = await tellings.toldDestinations({ computation: sync.computation });
  const rows = await Promise.all(
    Array.from(new Set([...told, ...destinations]), (name) => config.get('destinations', name)),
  );
  const made = Object.fromEntries(rows.flatMap((row) => (row === undefined ? [] : [[row.name, row.create_time]])));
  return { keep: told.filter((name) => last !== undefined && isTheSame(made[name], name, last)), made };
}

/** Of a sync of an earlier version only its time is known. */
function isTheSame(createTime: string | undefined, name: string, { basis, startedAt }: Sync): boolean {
  if (createTime === undefined) return false;
  return basis === undefined ? Date.parse(createTime) < startedAt : basis.made[name] === createTime;
}
