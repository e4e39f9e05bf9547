import type { PostgresMigration } from './migrations.ts';

/** They are few, and what has ended is kept: all routers look for them every ten seconds. */
export const runningReplays: PostgresMigration = {
  version: 12,
  oldest: 1,
  what: 'running replays are found among any number that have ended',
  sql: "CREATE INDEX replay_jobs_running ON replay_jobs (id) WHERE state = 'running'",
};
