import type { PostgresMigration } from './migrations.ts';

/** In the way of what is answered as stored: a session that nobody set up as its own may commit before anything is on disk. */
export const durable: PostgresMigration = {
  version: 9,
  oldest: 1,
  what: 'what would commit without waiting for the disk is refused',
  sql: `
CREATE FUNCTION durable() RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF current_setting('synchronous_commit') IN ('on', 'remote_apply') THEN RETURN true; END IF;
  RAISE EXCEPTION 'synchronous_commit is %, in a session that no router has set up', current_setting('synchronous_commit')
    USING ERRCODE = 'WB001';
END $$;
`,
};
