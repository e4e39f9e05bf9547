import type { PostgresMigration } from './migrations.ts';

/**
 * The same as the other engines read. A backslash that is itself escaped is no beginning of a character; one character that the
 * server cannot hold makes nothing of a list unreadable; times are those that events may have (`instantOf`).
 */
const READABLE = String.raw`
CREATE FUNCTION readable(kept text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN strpos(kept, '\u') = 0 THEN kept
    ELSE regexp_replace(kept, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g') END
$$;
`;

const TEXT_OF = String.raw`
CREATE OR REPLACE FUNCTION text_of(<first> text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF left($1, 1) <> '"' THEN RETURN NULL; END IF;
  IF strpos($1, '\') = 0 THEN RETURN substr($1, 2, length($1) - 2); END IF;
  RETURN readable($1)::json #>> '{}';
EXCEPTION WHEN OTHERS THEN RETURN NULL;
END $$`;

const HAS_ITEM = String.raw`
CREATE OR REPLACE FUNCTION has_item(<first> text, item text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF left($1, 1) <> '[' THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM jsonb_array_elements(readable($1)::jsonb) element WHERE element = readable($2)::jsonb);
EXCEPTION WHEN OTHERS THEN RETURN false;
END $$`;

/**
 * Of an ISO 8601 text, in milliseconds; without a zone it is UTC. Digits alone may be anything. Such of other scripts fail as
 * numbers. A second of 60 is the next minute's first. The year 0 of ISO 8601 is the year 1 before Christ.
 */
const MOMENT_OF = String.raw`
CREATE OR REPLACE FUNCTION moment_of(<first> text) RETURNS double precision LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  said text := text_of($1);
  part text[];
  years integer; hours integer; minutes integer; seconds integer; away integer;
BEGIN
  part := coalesce(
    regexp_match(said, '^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(?:[Zz]|([+-]\d\d):?(\d\d)?)?)?$'),
    regexp_match(said, '^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,12}))?)?(?:[Zz]|([+-]\d\d):?(\d\d)?)?$'));
  IF part IS NULL THEN RETURN NULL; END IF;
  years := part[1]::integer;
  hours := coalesce(part[4], '0')::integer; minutes := coalesce(part[5], '0')::integer; seconds := coalesce(part[6], '0')::integer;
  IF hours > 24 OR minutes > 59 OR seconds > 60 OR (hours = 24 AND minutes + seconds > 0) THEN RETURN NULL; END IF;
  away := abs(coalesce(part[8], '0')::integer) * 60 + coalesce(part[9], '0')::integer;
  IF away > 1440 OR coalesce(part[9], '0')::integer > 59 THEN RETURN NULL; END IF;
  IF left(coalesce(part[8], '+'), 1) = '-' THEN away := -away; END IF;
  RETURN (extract(epoch FROM make_date(CASE years WHEN 0 THEN -1 ELSE years END, part[2]::integer, part[3]::integer))
    + (hours * 60 + minutes - away) * 60 + seconds) * 1000 + rpad(left(coalesce(part[7], ''), 3), 3, '0')::integer;
EXCEPTION WHEN OTHERS THEN RETURN NULL;
END $$`;

/**
 * A function is replaced only under the names that its parameters have. The first of these was called `json` once, which newer
 * servers take for a word of theirs, and `kept` since.
 */
function replaced(signature: string, definition: string): string {
  return `
DO $do$ BEGIN
  EXECUTE replace($made$${definition}$made$, '<first>',
    (SELECT quote_ident(proargnames[1]) FROM pg_proc WHERE oid = '${signature}'::regprocedure));
END $do$;`;
}

export const jsonFunctions: PostgresMigration = {
  version: 8,
  oldest: 1,
  what: 'traits are read alike on all storages: times, and what has characters that the server cannot hold',
  sql: [
    READABLE,
    replaced('text_of(text)', TEXT_OF),
    replaced('has_item(text, text)', HAS_ITEM),
    replaced('moment_of(text)', MOMENT_OF),
  ].join('\n'),
};
