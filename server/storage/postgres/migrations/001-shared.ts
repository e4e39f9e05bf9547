/**
 * What routers have in common besides what they deliver. `rates` has how often each key asked in its window, and need not
 * survive a crash; `used_ids` what may be used once, as digests; `secrets` what routers sign with. `loss_counts` and
 * `loss_items` tell what ingestion did not keep as it came: a week of counts by the day, and the last of each kind.
 */
export const SHARED = `
CREATE UNLOGGED TABLE rates (key text PRIMARY KEY, count integer NOT NULL, ends_at bigint NOT NULL)
  WITH (fillfactor = 50);
CREATE TABLE used_ids (owner text NOT NULL, id bytea NOT NULL, until bigint NOT NULL, PRIMARY KEY (owner, id));
CREATE INDEX used_ids_until ON used_ids (until);
CREATE TABLE secrets (name text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE loss_counts (
  owner text NOT NULL, list text NOT NULL, day integer NOT NULL, what text NOT NULL, detail text NOT NULL,
  count bigint NOT NULL, first_at bigint NOT NULL, last_at bigint NOT NULL,
  PRIMARY KEY (owner, list, day, what, detail)
) WITH (fillfactor = 70);
CREATE TABLE loss_items (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner text NOT NULL, list text NOT NULL, at bigint NOT NULL,
  item text NOT NULL
);
CREATE INDEX loss_items_last ON loss_items (owner, list, id);
CREATE INDEX loss_items_at ON loss_items (at);
CREATE TABLE loss_began (at bigint NOT NULL);
INSERT INTO loss_began VALUES (now_ms());
`;
