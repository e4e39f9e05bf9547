import type { Log } from '../ports/log.ts';
import { systemClock } from '../system-clock.ts';
import { type FileParts, openFileStorage } from './file/open-file-storage.ts';
import { readPlace } from './place.ts';
import { NO_KEYS } from './secrets/keyring.ts';
import type { Storage } from './storage.ts';

/** Opens the storage at `place`, whose scheme picks the engine: `file:./data`, `postgres://user@host/database`. */
export async function openStorage(place: string, log: Log, parts: FileParts = {}): Promise<Storage> {
  const read = readPlace(place);
  if (read.engine === 'file') return openFileStorage(read.folder, log, parts);
  const { keyring = NO_KEYS } = parts;
  // A sixth of all files of the router, which one with a data folder starts without.
  const { openMigrated } = await import('./postgres/open-migrated.ts');
  const { openPostgresStorage } = await import('./postgres/open-postgres-storage.ts');
  return openPostgresStorage({ database: await openMigrated(place, log), clock: systemClock, log, keyring });
}
