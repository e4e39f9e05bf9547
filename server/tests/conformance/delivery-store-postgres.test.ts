import { describeWithPostgres } from '../support/postgres-place.ts';
import { deliveryStoreConformance } from './delivery-store.ts';
import { postgresPlace } from './places.ts';

describeWithPostgres('PostgreSQL', () => deliveryStoreConformance('postgres', postgresPlace, 2));
