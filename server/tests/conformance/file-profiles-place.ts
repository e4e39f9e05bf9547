import { join } from 'node:path';
import { openFileProfiles } from '../../storage/file/profiles/file-profiles.ts';
import { newFolder } from '../support/delivery-world.ts';
import { ArrayInbox, inboxOf, type ProfilePlace } from './profile-place.ts';

export async function fileProfilesPlace(): Promise<ProfilePlace> {
  const [path, inbox] = [join(newFolder(), 'profiles.sqlite'), new ArrayInbox()];
  let profiles = await openFileProfiles(path, inbox);
  return {
    profiles,
    ...inboxOf(inbox),
    reopen: async () => {
      await profiles.close();
      profiles = await openFileProfiles(path, inbox);
      return profiles;
    },
    end: () => profiles.close(),
  };
}
