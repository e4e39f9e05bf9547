import type { PostgresMigration } from './migrations.ts';

/** Each step of a purge looks for them; dry ones end at once, and a tenant may have a million in its retention. */
export const endedReplays: PostgresMigration = {
  version: 15,
  oldest: 1,
  what: 'replays that are to go are found among any number that are kept',
  parts: ["CREATE INDEX IF NOT EXISTS replay_jobs_ended ON replay_jobs (ended_at) WHERE state <> 'running'"],
  sql: 'SELECT',
};
