import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../ports/log.ts';
import { ROOT_FILE } from './resources/low-config-store.ts';

/** What others may do with a file or a folder: nothing (SAFE-3). */
export const PRIVATE_UMASK = 0o077;
export const PRIVATE_FOLDER = 0o700;

/** The delivery store; its log and whatever else stands beside it begin with the same name. */
export const DELIVERIES_FILE = 'deliveries.sqlite';
/** The delivery store as long as a move into the folder is not finished. */
export const MOVING_FILE = `${DELIVERIES_FILE}.moving`;
/** What is known of users, as long as there are audiences or computed traits. */
export const PROFILES_FILE = 'profiles.sqlite';
export const CONFIG_FOLDER = 'config';
/** What file systems have in their root: nobody put it there. */
const OF_FILE_SYSTEM = 'lost+found';

/** What is in a folder; nothing where there is none. */
export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== OF_FILE_SYSTEM) : [];
}

/**
 * Takes away what others may do with what the router keeps: versions before this one left it readable. A file that is not
 * the router's is never touched, nor is a folder that holds one: `--data-dir .` must not change a project, or `/tmp` a
 * machine. What cannot be changed is told at each start, and does not keep the router from starting: senders would lose
 * events over it.
 */
export function keepPrivate(folder: string, log: Log): void {
  // Windows has rights of another kind.
  if (process.platform === 'win32') return;
  const open = ownPlaces(folder).filter(isOpen);
  for (const place of open) tighten(place);
  const changed = open.filter((place) => !isOpen(place)).length;
  if (changed > 0) log.warn({ folder, changed }, 'others could read the data folder; only this user can now');
  const left = placesOpenToOthers(folder);
  if (left.length === 0) return;
  const why = 'others may read the data folder, and this user cannot change that, or it holds files of others';
  log.warn({ places: left }, `${why}: give the router a folder of its own with --data-dir`);
}

/** What of the data others may read, or change. */
export function placesOpenToOthers(folder: string): readonly string[] {
  if (process.platform === 'win32') return [];
  return [...new Set([folder, ...ownPlaces(folder)])].filter(isOpen);
}

function ownPlaces(folder: string): string[] {
  const names = namesIn(folder);
  const config = join(folder, CONFIG_FOLDER);
  const hasConfig = existsSync(join(config, ROOT_FILE));
  const files = names.filter((name) => name.startsWith(DELIVERIES_FILE) || name.startsWith(PROFILES_FILE));
  const isShared = names.length > files.length + (hasConfig ? 1 : 0);
  const configs = hasConfig ? [config, ...readdirSync(config).map((name) => join(config, name))] : [];
  return [...(isShared ? [] : [folder]), ...files.map((name) => join(folder, name)), ...configs];
}

function isOpen(place: string): boolean {
  return ((statSync(place, { throwIfNoEntry: false })?.mode ?? 0) & PRIVATE_UMASK) !== 0;
}

/** Some file systems refuse, others answer that they did and did not: who asks looks again. */
function tighten(place: string): void {
  try {
    chmodSync(place, statSync(place).mode & 0o7777 & ~PRIVATE_UMASK);
  } catch {
    // Looked at again by who asks.
  }
}
