import type { Log } from '../../ports/log.ts';
import { inspectFolder, type StoredFormat } from './inspect.ts';
import { openFileStorage } from './open-file-storage.ts';

/**
 * Brings a data folder to today's format, as its next start would; answers the files that had an older one. Rejects where
 * a router uses the folder, and where a file is damaged or of a newer format.
 */
export async function migrateFolder(folder: string, log: Log): Promise<readonly StoredFormat[]> {
  const { formats } = inspectFolder(folder);
  const storage = await openFileStorage(folder, log);
  await storage.close();
  return formats.filter(({ format, current }) => format < current);
}
