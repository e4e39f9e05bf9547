import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { postgresProfilesPlace } from './postgres-profiles-place.ts';
import { profileConformance } from './profiles.ts';

describeWithPostgres('PostgreSQL', () => {
  const place = keptPlaces();
  profileConformance('postgres', async () => postgresProfilesPlace(await place()));
});
