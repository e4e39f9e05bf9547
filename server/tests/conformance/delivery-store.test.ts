import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { MemoryDeliveryStore } from '../../../testbed/simulation/memory-delivery-store.ts';
import { deliveryStoreConformance } from './delivery-store.ts';

deliveryStoreConformance('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  const path = join(folder, 'deliveries.sqlite');
  let store = await openSqliteStorage(path);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteStorage(path);
      return store;
    },
    end: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});

deliveryStoreConformance('memory', () => {
  // Nothing of it survives the process: reopened is the same store.
  const store = new MemoryDeliveryStore();
  return Promise.resolve({ store, reopen: () => Promise.resolve(store), end: () => Promise.resolve() });
});
