import { existsSync } from 'node:fs';
import type { Inbox } from '../../inbox.ts';
import { NOTHING_ERASED, NOTHING_FOLDED, type SpacesNow } from '../../profile-storage.ts';
import { type FileProfiles, openFileProfiles } from './file-profiles.ts';

/**
 * Opens the profiles at once where there are any, so that a damaged file is told at the start; else the first who needs them
 * makes them: a router without audiences has neither the file nor the thread.
 */
export async function openLazyProfiles(path: string, inbox: Inbox): Promise<FileProfiles> {
  let opening: Promise<FileProfiles> | undefined;
  const open = (): Promise<FileProfiles> => {
    opening ??= openFileProfiles(path, inbox).catch((error: unknown) => {
      // The next who asks tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  // Also where something waits to be let go.
  const isNeeded = async (spaces: SpacesNow): Promise<boolean> =>
    opening !== undefined || (await spaces()).length > 0 || (await inbox.lastCaught()) > 0;
  if (existsSync(path)) await open();
  return {
    fold: async (request) => ((await isNeeded(request.spaces)) ? (await open()).fold(request) : NOTHING_FOLDED),
    lastCaught: () => inbox.lastCaught(),
    compute: async (request) => (await open()).compute(request),
    preview: async (request) => (await open()).preview(request),
    results: async (request) => (await open()).results(request),
    profile: async (request) => (await open()).profile(request),
    standing: async (request) => (await open()).standing(request),
    erase: async (request) => ((await isNeeded(request.spaces)) ? (await open()).erase(request) : NOTHING_ERASED),
    tidy: async (request) => opening !== undefined && (await opening).tidy(request),
    freeze: async () => (await opening)?.freeze(),
    thaw: async () => (await opening)?.thaw(),
    close: async () => (await opening)?.close(),
  };
}
