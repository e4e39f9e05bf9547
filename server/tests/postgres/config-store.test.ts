import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { openPostgresConfigStore } from '../../storage/postgres/resources/postgres-config-store.ts';
import { systemClock } from '../../system-clock.ts';
import { configStoreConformance, type ConfigStorePlace } from '../conformance/config-store.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

/** A schema that any number of routers have open at once. */
async function openPlace(place: PostgresPlace): Promise<ConfigStorePlace> {
  const opened: ConfigStore[] = [];
  let refuses = false;
  const database: Database = {
    ...place.database,
    transaction: (work) =>
      refuses ? Promise.reject(new StoreUnavailable('no space left on device')) : place.database.transaction(work),
  };
  const open = async (): Promise<ConfigStore> => {
    const store = await openPostgresConfigStore({ database, clock: systemClock, log: new RecordingLog() });
    opened.push(store);
    return store;
  };
  return {
    store: await open(),
    reopen: open,
    other: open,
    refuseWrites: (refuse) => (refuses = refuse),
    end: async () => {
      for (const store of opened) await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

describeWithPostgres('the config store in PostgreSQL', () => {
  const place = keptPlaces();
  configStoreConformance('postgres', async () => openPlace(await place()));
});
