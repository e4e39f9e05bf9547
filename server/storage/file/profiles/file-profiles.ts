import { extname } from 'node:path';
import type { Inbox } from '../../inbox.ts';
import type { ProfileStorage } from '../../profile-storage.ts';
import { PROFILE_READS, PROFILE_WIPES, type ProfileOperations } from '../../profiles/sqlite/operations.ts';
import { profilesBeside } from '../../profiles/sqlite/profiles.ts';
import { openThread } from '../deliveries/sqlite-thread.ts';
import type { Freezable } from '../snapshots.ts';

export interface FileProfiles extends ProfileStorage, Freezable {
  /** Waits until all that was asked is on disk, then ends. */
  close(): Promise<void>;
}

/** Compiled, where the package is. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

/** Opens the profiles in one file, made when there is none. Rejects with a message that names the file. */
export async function openFileProfiles(path: string, inbox: Inbox): Promise<FileProfiles> {
  const kind = { what: 'profile store', reads: PROFILE_READS, wipes: PROFILE_WIPES };
  const thread = await openThread<ProfileOperations>(path, THREAD, kind);
  // A run that fails must not take along what others asked.
  const profiles = await profilesBeside(inbox, (name, argument) => thread.call(name, argument, { alone: true }));
  return { ...profiles, freeze: () => thread.freeze(), thaw: () => thread.thaw(), close: () => thread.close() };
}
