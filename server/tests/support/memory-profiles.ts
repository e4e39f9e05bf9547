import type { Inbox } from '../../storage/inbox.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { openProfilesInMemory } from '../../storage/profiles/sqlite/engine.ts';
import { askHere, profilesBeside } from '../../storage/profiles/sqlite/profiles.ts';

export interface MemoryProfiles extends ProfileStorage {
  close(): void;
}

/** Profiles that end with the process, on the thread of who asks: for simulations and tests. */
export async function openMemoryProfiles(inbox: Inbox, engine = openProfilesInMemory()): Promise<MemoryProfiles> {
  const profiles = await profilesBeside(inbox, askHere(engine));
  return { ...profiles, close: () => engine.database.close() };
}
