import type { Log } from '../ports/log.ts';
import { DataFolderUnusable, type FileParts, openFileStorage } from './file/open-file-storage.ts';
import type { Storage } from './storage.ts';

const FILE = 'file:';

/** Opens the storage at `place`, whose scheme picks the engine: `file:./data`. */
export function openStorage(place: string, log: Log, parts: FileParts = {}): Promise<Storage> {
  if (place.startsWith(FILE)) return openFileStorage(place.slice(FILE.length), log, parts);
  throw new DataFolderUnusable('the storage must be file:<folder>');
}
