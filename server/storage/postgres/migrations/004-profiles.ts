import type { PostgresMigration } from './migrations.ts';

/**
 * As in the file of profiles: a user has a positive number, an anonymous id a negative one, and what is an anonymous id's stays
 * so, by hours; whose it is follows from `links` when it is read. Values of events are JSON of up to 4 KB, more than an index
 * takes: they are unique by their digest.
 */
const TABLES = `
CREATE TABLE spaces (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE measures (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, space integer NOT NULL, name text NOT NULL, UNIQUE (space, name)
);
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY, space integer NOT NULL, value text COLLATE "C" NOT NULL, UNIQUE (space, value)
);
ALTER TABLE users ADD PRIMARY KEY (id);
CREATE TABLE moved (id bigint NOT NULL, profile bigint NOT NULL);
CREATE INDEX moved_to ON moved (profile);
ALTER TABLE moved ADD PRIMARY KEY (id);
CREATE TABLE merges (profile bigint PRIMARY KEY, at bigint NOT NULL, message text COLLATE "C" NOT NULL);
CREATE SEQUENCE anonymous_ids;
CREATE TABLE anonymous (
  space integer NOT NULL, value text COLLATE "C" NOT NULL, id bigint NOT NULL UNIQUE DEFAULT -nextval('anonymous_ids'),
  PRIMARY KEY (space, value)
);
CREATE TABLE links (
  anonymous bigint NOT NULL, hour integer NOT NULL, at bigint NOT NULL, owner bigint NOT NULL
);
CREATE INDEX links_of_owner ON links (owner, anonymous);
ALTER TABLE links ADD PRIMARY KEY (anonymous, hour, owner);
CREATE TABLE trait_names (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, space integer NOT NULL, name text NOT NULL, UNIQUE (space, name)
);
CREATE TABLE traits (
  name integer NOT NULL, holder bigint NOT NULL, hour integer NOT NULL, at bigint NOT NULL, message text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL
);
CREATE INDEX traits_of_holder ON traits (holder);
ALTER TABLE traits ADD PRIMARY KEY (name, holder, hour);
CREATE TABLE amounts (
  measure integer NOT NULL, day integer NOT NULL, holder bigint NOT NULL, hour integer NOT NULL,
  events bigint NOT NULL, numbers bigint NOT NULL, total double precision NOT NULL, lowest double precision,
  highest double precision, PRIMARY KEY (measure, day, holder, hour)
) WITH (fillfactor = 80);
CREATE TABLE counted_values (
  measure integer NOT NULL, day integer NOT NULL, holder bigint NOT NULL, hour integer NOT NULL,
  value text COLLATE "C" NOT NULL, events bigint NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX counted_values_key ON counted_values (measure, day, holder, hour, md5(value));
CREATE TABLE ends (
  measure integer NOT NULL, day integer NOT NULL, holder bigint NOT NULL, hour integer NOT NULL,
  first_at bigint NOT NULL, first_message text COLLATE "C" NOT NULL, first_json text NOT NULL,
  last_at bigint NOT NULL, last_message text COLLATE "C" NOT NULL, last_json text NOT NULL,
  PRIMARY KEY (measure, day, holder, hour)
) WITH (fillfactor = 80);
CREATE TABLE computations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, space integer NOT NULL, name text NOT NULL, UNIQUE (space, name)
);
CREATE TABLE runs (
  computation integer NOT NULL, run integer NOT NULL, evaluated bigint NOT NULL, size bigint NOT NULL,
  entered bigint NOT NULL, gone bigint NOT NULL, PRIMARY KEY (computation, run)
);
CREATE TABLE results (
  computation integer NOT NULL, user_id text COLLATE "C" NOT NULL, since integer NOT NULL, until integer, value text NOT NULL,
  PRIMARY KEY (computation, user_id, since)
) WITH (fillfactor = 80);
`;

/**
 * What a column of JSON holds; null where it is nothing of the kind, or nothing that the server can read. From version 17 on,
 * nothing can have the name `json`.
 */
const FUNCTIONS = String.raw`
CREATE FUNCTION text_of(kept text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF left(kept, 1) <> '"' THEN RETURN NULL; END IF;
  IF strpos(kept, '\') = 0 THEN RETURN substr(kept, 2, length(kept) - 2); END IF;
  RETURN regexp_replace(kept, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json #>> '{}';
EXCEPTION WHEN OTHERS THEN RETURN NULL;
END $$;

CREATE FUNCTION has_item(kept text, item text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF left(kept, 1) <> '[' THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM jsonb_array_elements(kept::jsonb) element WHERE element = item::jsonb);
EXCEPTION WHEN OTHERS THEN RETURN false;
END $$;

-- Of an ISO 8601 text, in milliseconds; without a zone it is UTC. Digits alone may be anything.
CREATE FUNCTION moment_of(kept text) RETURNS double precision LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET TimeZone = 'UTC' SET DateStyle = 'ISO, YMD' AS $$
DECLARE
  said text := text_of(kept);
BEGIN
  IF said !~ '^[+-]?\d{4,6}-\d{2}(-\d{2}([T ]\d{2}:?\d{2}(:?\d{2}([.,]\d+)?)?\s*(Z|z|[+-]\d{2}(:?\d{2})?)?)?)?$' THEN RETURN NULL; END IF;
  IF length(said) = 7 THEN said := said || '-01'; END IF;
  RETURN floor(extract(epoch FROM replace(said, ',', '.')::timestamptz) * 1000);
EXCEPTION WHEN OTHERS THEN RETURN NULL;
END $$;

-- As JavaScript writes it.
CREATE FUNCTION json_of(number double precision) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN number = 0 THEN '0'
    WHEN abs(number) >= 1e21 OR abs(number) < 1e-6 THEN replace(replace(number::text, 'e-0', 'e-'), 'e+0', 'e+')
    ELSE trim_scale(number::text::numeric)::text END
$$;
`;

export const profiles: PostgresMigration = {
  version: 4,
  oldest: 1,
  what: 'profiles, and what is counted of them, have a place',
  sql: TABLES + FUNCTIONS,
};
