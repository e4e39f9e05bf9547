import { join } from 'node:path';
import { FOR_EVER, type Tenure } from '../../server/delivery/lease.ts';
import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import { openSqliteStorage } from '../../server/storage/file/deliveries/sqlite-storage.ts';
import type { Members } from '../../server/storage/members.ts';
import { openStorage } from '../../server/storage/open-storage.ts';
import { startPostgres } from '../../server/tests/support/postgres-server.ts';
import { DURABLE } from './postgres-cost.ts';

/** A storage for the time of one measurement. */
export interface Place {
  readonly store: DeliveryStorage & Members;
  /** As which a router works on it. */
  readonly tenure: Tenure;
  close(): Promise<void>;
}

export type OpenPlace = (folder: string) => Promise<Place>;

export async function openFile(folder: string): Promise<Place> {
  const store = await openSqliteStorage(join(folder, 'deliveries.sqlite'));
  return { store, tenure: FOR_EVER, close: () => store.close() };
}

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const BEAT_MS = 2_000;

/** As one of several routers, which it is for all that it does with lines. */
export async function openPostgres(): Promise<Place> {
  const server = await startPostgres({ settings: DURABLE });
  const storage = await openStorage(server.url(), SILENT);
  const { deliveries, members } = storage;
  const beats = setInterval(() => void members.beat().catch(ignore), BEAT_MS);
  return {
    store: { ...deliveries, ...members },
    tenure: { holds: true, isEndless: false },
    async close() {
      clearInterval(beats);
      await storage.close();
      await server.stop();
    },
  };
}

function ignore(): void {
  // A bench measures the work, not the writing about it.
}
