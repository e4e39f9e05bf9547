import { join } from 'node:path';
import { openSqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { newFolder } from '../support/delivery-world.ts';
import { deliveryLogConformance } from './delivery-log.ts';

deliveryLogConformance('sqlite', async () => {
  const path = join(newFolder(), 'deliveries.sqlite');
  let store = await openSqliteStorage(path);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteStorage(path);
      return store;
    },
    end: () => store.close(),
  };
});
