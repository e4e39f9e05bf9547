import { describeWithPostgres } from '../support/postgres-place.ts';
import { DELIVERY_STORE_FACTS, deliveryStoreConformance } from './delivery-store.ts';
import { FORGOTTEN_FACTS } from './forgotten-facts.ts';
import { INBOX_FACTS } from './inbox-facts.ts';
import { postgresPlace } from './places.ts';
import { SYNC_FACTS } from './sync-facts.ts';
import { TELLING_FACTS } from './telling-facts.ts';

const audiences = new Set([...INBOX_FACTS, ...SYNC_FACTS, ...TELLING_FACTS, ...FORGOTTEN_FACTS]);
const facts = DELIVERY_STORE_FACTS.filter((fact) => !audiences.has(fact));

describeWithPostgres('PostgreSQL', () => deliveryStoreConformance('postgres', postgresPlace, facts));
