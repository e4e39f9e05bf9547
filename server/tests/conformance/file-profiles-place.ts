import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileProfiles } from '../../storage/file/profiles/file-profiles.ts';
import { ArrayInbox, inboxOf, type ProfilePlace } from './profile-place.ts';

export async function fileProfilesPlace(): Promise<ProfilePlace> {
  const [folder, inbox] = [mkdtempSync(join(tmpdir(), 'waybill-profiles-')), new ArrayInbox()];
  const path = join(folder, 'profiles.sqlite');
  let profiles = await openFileProfiles(path, inbox);
  return {
    profiles,
    ...inboxOf(inbox),
    reopen: async () => {
      await profiles.close();
      profiles = await openFileProfiles(path, inbox);
      return profiles;
    },
    end: async () => {
      await profiles.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
