import { keptPlaces } from '../support/kept-places.ts';
import { stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { DELIVERY_STORE_FACTS, deliveryStoreConformance } from './delivery-store.ts';
import { postgresPlace } from './places.ts';

/** Its profiles take what was caught in a transaction of their own. */
const facts = DELIVERY_STORE_FACTS.filter(({ needsOwnInbox }) => needsOwnInbox !== true);

describeWithPostgres('PostgreSQL', () => {
  const place = keptPlaces(stillPlace);
  deliveryStoreConformance('postgres', () => postgresPlace(place()), facts);
});
