/**
 * What routers have in common besides what they deliver. `rates` has how often each key asked in its window, and need not
 * survive a crash; `used_ids` what may be used once, as digests; `secrets` what routers sign with.
 */
export const SHARED = `
CREATE UNLOGGED TABLE rates (key text PRIMARY KEY, count integer NOT NULL, ends_at bigint NOT NULL)
  WITH (fillfactor = 50);
CREATE TABLE used_ids (owner text NOT NULL, id bytea NOT NULL, until bigint NOT NULL, PRIMARY KEY (owner, id));
CREATE INDEX used_ids_until ON used_ids (until);
CREATE TABLE secrets (name text PRIMARY KEY, value bytea NOT NULL);
`;
