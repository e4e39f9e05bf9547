import { describeWithPostgres } from '../support/postgres-place.ts';
import { DELIVERY_STORE_FACTS, deliveryStoreConformance } from './delivery-store.ts';
import { postgresPlace } from './places.ts';

/** Its profiles take what was caught in a transaction of their own. */
const facts = DELIVERY_STORE_FACTS.filter(({ needsOwnInbox }) => needsOwnInbox !== true);

describeWithPostgres('PostgreSQL', () => deliveryStoreConformance('postgres', postgresPlace, facts));
