import { join } from 'node:path';
import { openSqliteDeliveryStore } from '../../storage/file/deliveries/sqlite-delivery-store.ts';
import { newFolder } from '../support/delivery-world.ts';
import { deliveryLogConformance } from './delivery-log.ts';

deliveryLogConformance('sqlite', async () => {
  const path = join(newFolder(), 'deliveries.sqlite');
  let store = await openSqliteDeliveryStore(path);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteDeliveryStore(path);
      return store;
    },
    end: () => store.close(),
  };
});
