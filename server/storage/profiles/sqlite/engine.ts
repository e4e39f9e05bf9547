import { dirname } from 'node:path';
import { openDatabase } from '../../file/deliveries/database.ts';
import type { Engine } from '../../file/deliveries/serve.ts';
import { DiskRoom } from '../../file/disk-room.ts';
import { freeSpaceOf } from '../../file/free-space/free-space.ts';
import { addJsonFunctions } from './dialect.ts';
import { createProfileOperations, PROFILE_WIPES, type ProfileOperations } from './operations.ts';
import { PROFILES_VERSION, prepareProfiles } from './schema.ts';

export type ProfileEngine = Engine<ProfileOperations>;

/** Of many pages that each run reads, as many stay in memory (64 MB). */
const CACHED_KB = 65_536;

/** Opens the profiles in a file, made when there is none. Throws with why it cannot be used. */
export function openProfileEngine(path: string): ProfileEngine {
  const database = openDatabase(path, prepareProfiles);
  database.exec(`PRAGMA cache_size = -${CACHED_KB}`);
  addJsonFunctions(database);
  const space = freeSpaceOf(database);
  const operations = createProfileOperations(database, space, new DiskRoom(dirname(path), database));
  return { database, space, wipes: PROFILE_WIPES, format: PROFILES_VERSION, ...operations };
}
