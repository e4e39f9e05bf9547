import { StoreUnavailable } from '../../storage/config-store.ts';
import { run } from '../../storage/file/deliveries/serve.ts';
import type { Inbox } from '../../storage/inbox.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { openProfileEngine, type ProfileEngine } from '../../storage/profiles/sqlite/engine.ts';
import type { ProfileOperations } from '../../storage/profiles/sqlite/operations.ts';
import { type AskProfiles, profilesBeside } from '../../storage/profiles/sqlite/profiles.ts';

export interface MemoryProfiles extends ProfileStorage {
  close(): void;
}

export function openProfilesInMemory(): ProfileEngine {
  return openProfileEngine(':memory:');
}

/** An engine on this thread. */
function askHere(engine: ProfileEngine): AskProfiles {
  return async (name, argument) => {
    const answer = run(engine, [{ name, argument }]);
    if ('error' in answer) throw new StoreUnavailable(`the profile store failed: ${answer.error}`);
    const [result] = answer.results;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine answers what the operation returns
    return result as ReturnType<ProfileOperations[typeof name]>;
  };
}

/** Profiles that end with the process, on the thread of who asks: for simulations and tests. */
export async function openMemoryProfiles(inbox: Inbox, engine = openProfilesInMemory()): Promise<MemoryProfiles> {
  const profiles = await profilesBeside(inbox, askHere(engine));
  return { ...profiles, close: () => engine.database.close() };
}
