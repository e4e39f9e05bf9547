import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { postgresProfilesPlace } from './postgres-profiles-place.ts';
import { profileConformance } from './profiles.ts';

describeWithPostgres('PostgreSQL', () => {
  profileConformance('postgres', async () => postgresProfilesPlace(await postgresPlace()));
});
