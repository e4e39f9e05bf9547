import { existsSync } from 'node:fs';
import type { Inbox } from '../../inbox.ts';
import { type FileProfiles, openFileProfiles } from './file-profiles.ts';

/**
 * Opens the profiles at once where there are any, so that a damaged file is told at the start; else the first who asks makes
 * them: a router without audiences has neither the file nor the thread.
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
  if (existsSync(path)) await open();
  return {
    fold: async (request) => (await open()).fold(request),
    compute: async (request) => (await open()).compute(request),
    preview: async (request) => (await open()).preview(request),
    results: async (request) => (await open()).results(request),
    profile: async (request) => (await open()).profile(request),
    standing: async (request) => (await open()).standing(request),
    erase: async (request) => (await open()).erase(request),
    tidy: async (request) => (await open()).tidy(request),
    close: async () => (await opening)?.close(),
  };
}
