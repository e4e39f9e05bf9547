import { openStorage } from '../../storage/open-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { RecordingLog } from './ingestion-log.ts';

/** Opens a storage by its place, as WAYBILL_STORAGE has it, and closes it again however the work ends. */
export async function withStorage<T>(place: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(place, new RecordingLog());
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}
