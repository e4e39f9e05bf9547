import { SHARED } from './001-shared.ts';
import type { PostgresMigration } from './migrations.ts';

/**
 * All times are milliseconds since the epoch: by the database's clock where something waits or ends by itself (`due_at`,
 * `set_at`, `window_from`, `until`, `at` of `commits`), and the wall's of a router, for people, elsewhere.
 *
 * The id of a message or delivery has the day on which it was made, since the epoch, above 38 bits of a number that a router
 * took from `ids` in blocks. So `messages`, `log` and `attempts` have a partition for each day, which is dropped whole.
 * Resource names are in `names` once.
 *
 * A delivery is in exactly one of three tables, and moves by being deleted and inserted: `queue` has what waits, `tries`
 * what a life (`node`, `epoch`) is trying, `log` what has ended. Their rows change all the time, so they have few indexes,
 * none on a state, and are vacuumed early. `closed` is a JSON list of URLs. `window_from` is the acceptance or the last
 * replay, before which there were `earlier_rounds`, and since which `tries` rounds attempted something that counts.
 * `type`, `event` and `user_id` repeat what the log is searched by. Ids of the deliveries of a message begin with its own, and
 * follow each other. `replay` of a message is the greatest id of `replay_jobs` when it was accepted: those with a greater one
 * look at it, whatever was committed first.
 *
 * A node whose life is over has no `until`. From `over_at` on, and until all transactions below `horizon` have ended, what
 * that life still stores is freed. `news` has what others left for a node to hear.
 *
 * `seen` has the message ids of the last minutes, in slots that are truncated in turn, and `commits` those of a day, a row
 * for each commit of accepts (D-43), by whose id a router knows it again when its answer was lost (D-63).
 *
 * Primary keys are made after the other indexes of their table: of two that seem equal, as those of an empty table do, the
 * planner takes the newest, and the others can find an id as well, by reading all that they have.
 *
 * Every change of the configuration locks the row of `config_head`, so that versions are in the order of their commits.
 * `home` is the workspace that something is below, and empty at the root. `config_versions` has the last version of each
 * workspace that something was below; accepts are held against it. `config_changes` has what the last commits changed.
 *
 * `moving` has a row as long as a move into these tables is not finished.
 */
const SQL = `
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT floor(date_part('epoch', statement_timestamp()) * 1000)::bigint
$$;

CREATE TABLE nodes (
  id integer PRIMARY KEY, name text NOT NULL UNIQUE, epoch bigint NOT NULL, until bigint,
  router text NOT NULL, version text NOT NULL, started_at bigint NOT NULL, over_at bigint, horizon xid8
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE news (
  node integer NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, waits text NOT NULL, circuits text NOT NULL,
  PRIMARY KEY (node, id)
);
CREATE TABLE leases (job text PRIMARY KEY, node text NOT NULL, until bigint NOT NULL);

CREATE SEQUENCE ids AS bigint MINVALUE 0 MAXVALUE 4194303 CYCLE;
CREATE TABLE names (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);

CREATE TABLE messages (
  id bigint NOT NULL, source integer NOT NULL, received_at bigint NOT NULL, event text NOT NULL,
  replay integer NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);

CREATE TABLE queue (
  id bigint NOT NULL, message bigint NOT NULL, destination integer NOT NULL,
  round integer NOT NULL, tries integer NOT NULL, earlier_rounds integer NOT NULL, closed text NOT NULL,
  received_at bigint NOT NULL, window_from bigint NOT NULL, due_at bigint NOT NULL, set_at bigint NOT NULL,
  bytes integer NOT NULL, type text NOT NULL, event text NOT NULL, user_id text NOT NULL
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queue_due ON queue (destination, due_at, id);
CREATE INDEX queue_oldest ON queue (destination, window_from, id);
CREATE INDEX queue_place ON queue (destination, received_at, id);
ALTER TABLE queue ADD PRIMARY KEY (id);

CREATE TABLE tries (
  id bigint PRIMARY KEY, message bigint NOT NULL, destination integer NOT NULL,
  node integer NOT NULL, epoch bigint NOT NULL,
  round integer NOT NULL, tries integer NOT NULL, earlier_rounds integer NOT NULL, closed text NOT NULL,
  received_at bigint NOT NULL, window_from bigint NOT NULL, set_at bigint NOT NULL,
  bytes integer NOT NULL, type text NOT NULL, event text NOT NULL, user_id text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE log (
  id bigint NOT NULL, message bigint NOT NULL, destination integer NOT NULL, state text NOT NULL,
  round integer NOT NULL, earlier_rounds integer NOT NULL,
  received_at bigint NOT NULL, ended_at bigint NOT NULL,
  bytes integer NOT NULL, type text NOT NULL, event text NOT NULL, user_id text NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX log_place ON log (destination, received_at, id);
CREATE INDEX log_ended ON log USING brin (ended_at) WITH (pages_per_range = 32, autosummarize = on);
ALTER TABLE log ADD PRIMARY KEY (id);

CREATE TABLE attempts (
  delivery bigint NOT NULL, round integer NOT NULL, number integer NOT NULL, started_at bigint NOT NULL,
  webhook text NOT NULL, duration_ms integer NOT NULL, outcome text NOT NULL, status integer,
  excerpt text NOT NULL, rule text NOT NULL, next_due_at bigint,
  connect_ms integer, send_ms integer, wait_ms integer, read_ms integer,
  PRIMARY KEY (delivery, round, number)
) PARTITION BY RANGE (delivery);

CREATE TABLE counts (
  hour bigint NOT NULL, destination integer NOT NULL, what text NOT NULL, node integer NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (hour, destination, what, node)
) WITH (fillfactor = 70);

CREATE TABLE replays (
  delivery bigint NOT NULL, earlier_rounds integer NOT NULL, at bigint NOT NULL,
  PRIMARY KEY (delivery, at, earlier_rounds)
);
CREATE TABLE replay_jobs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, destination integer NOT NULL, state text NOT NULL,
  filter text NOT NULL, dry_run boolean NOT NULL, per_second integer NOT NULL,
  created_at bigint NOT NULL, ended_at bigint, examined bigint NOT NULL, matched bigint NOT NULL,
  at_received bigint NOT NULL, at_id bigint NOT NULL
);
CREATE INDEX replay_jobs_of_destination ON replay_jobs (destination, id);

CREATE TABLE seen (slot smallint NOT NULL, fingerprint bytea NOT NULL, PRIMARY KEY (slot, fingerprint))
  PARTITION BY LIST (slot);
CREATE TABLE seen_0 PARTITION OF seen FOR VALUES IN (0);
CREATE TABLE seen_1 PARTITION OF seen FOR VALUES IN (1);
CREATE TABLE seen_2 PARTITION OF seen FOR VALUES IN (2);
CREATE TABLE seen_slots (slot smallint PRIMARY KEY, turn bigint NOT NULL);
INSERT INTO seen_slots VALUES (0, 0), (1, 0), (2, 0);
CREATE TABLE commits (
  id bigint PRIMARY KEY, xact xid8 NOT NULL DEFAULT pg_current_xact_id(), at bigint NOT NULL, fingerprints bytea NOT NULL
);
CREATE INDEX commits_xact ON commits (xact, id);

CREATE TABLE resources (
  name text PRIMARY KEY, kind text NOT NULL, home text NOT NULL, sequence bigint NOT NULL, body json NOT NULL
);
CREATE INDEX resources_home ON resources (home);
CREATE TABLE config_head (version bigint NOT NULL, sequence bigint NOT NULL);
CREATE UNIQUE INDEX config_head_one ON config_head ((true));
INSERT INTO config_head VALUES (0, 0);
CREATE TABLE config_versions (workspace text PRIMARY KEY, version bigint NOT NULL);
CREATE TABLE moving (source text NOT NULL, progress json NOT NULL);
CREATE TABLE config_changes (
  version bigint NOT NULL, number integer NOT NULL, key uuid NOT NULL, home text NOT NULL,
  kind text NOT NULL, name text NOT NULL, sequence bigint, body json,
  PRIMARY KEY (version, number)
);
`;

/** Makes and drops the tables of days: the role that runs owns no table, and asks these functions of the one that does. */
const FUNCTIONS = `
CREATE FUNCTION day_table(parent text, day bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT parent || '_' || to_char(to_timestamp(day * 86400) AT TIME ZONE 'UTC', 'YYYY_MM_DD')
$$;

CREATE FUNCTION make_days(first_day bigint, last_day bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  day bigint;
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('waybill days ' || current_schema(), 0));
  FOR day IN SELECT generate_series(first_day, last_day) LOOP
    FOREACH parent IN ARRAY ARRAY['messages', 'log', 'attempts'] LOOP
      CONTINUE WHEN to_regclass(day_table(parent, day)) IS NOT NULL;
      -- Attached, not made as a partition: that would wait for, and hold up, all that use the parent.
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE)', day_table(parent, day), parent);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        parent, day_table(parent, day), day << 38, (day + 1) << 38);
    END LOOP;
  END LOOP;
END $$;

-- Drops a day when all of it has ended before, and answers about how many deliveries that were. Answers null when something
-- of it is younger, or when somebody uses the tables: others, who would have to wait behind it, are not made to.
CREATE FUNCTION drop_day(day bigint, ended_before bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
SET lock_timeout = '100ms' SET enable_seqscan = off SET enable_bitmapscan = on AS $$
DECLARE
  range text := format('>= %s AND id < %s', day << 38, (day + 1) << 38);
  young text := format('SELECT EXISTS (SELECT FROM queue WHERE id %1$s) OR EXISTS (SELECT FROM tries WHERE id %1$s)
    OR EXISTS (SELECT FROM %2$I WHERE ended_at >= %3$s)', range, day_table('log', day), ended_before);
  is_young boolean;
  deliveries bigint;
  parent text;
BEGIN
  PERFORM brin_summarize_new_values(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = to_regclass(day_table('log', day)) AND relam = (SELECT oid FROM pg_am WHERE amname = 'brin');
  EXECUTE young INTO is_young;
  IF is_young THEN RETURN NULL; END IF;
  LOCK TABLE ONLY messages, ONLY log, ONLY attempts IN ACCESS EXCLUSIVE MODE;
  -- What was under way has ended; what comes next finds no table.
  EXECUTE young INTO is_young;
  IF is_young THEN RETURN NULL; END IF;
  SELECT greatest(reltuples, 0) INTO deliveries FROM pg_class WHERE oid = to_regclass(day_table('log', day));
  FOREACH parent IN ARRAY ARRAY['messages', 'log', 'attempts'] LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I', day_table(parent, day));
  END LOOP;
  RETURN deliveries;
EXCEPTION WHEN lock_not_available THEN RETURN NULL;
END $$;

-- Each slot has its ten minutes, and is looked at in the ten that follow. In the middle of these, the one whose turn comes
-- next is emptied, once, by whoever asks first.
CREATE FUNCTION empty_next_slot() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  now bigint := now_ms();
  next bigint := now / 600000 + 1;
BEGIN
  IF now % 600000 NOT BETWEEN 120000 AND 540000 THEN RETURN; END IF;
  UPDATE seen_slots SET turn = next WHERE slot = next % 3 AND turn < next;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM set_config('lock_timeout', '2s', true);
  EXECUTE format('TRUNCATE %I', 'seen_' || next % 3);
END $$;
`;

export const tables: PostgresMigration = { version: 1, oldest: 1, what: 'all tables', sql: SQL + SHARED + FUNCTIONS };
