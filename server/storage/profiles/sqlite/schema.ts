import type { SqlMigration } from '../../file/formats.ts';
import { preparing } from '../../file/deliveries/schema.ts';

/** Stored in the file itself; a file of a number that is not known is refused rather than misread. */
export const PROFILES_VERSION = 3;

const FOLDED_AHEAD = `CREATE TABLE folded_ahead (workspace TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * Whoever may have something is a *holder*: a user by a positive number, an anonymous id by a negative one. What is an
 * anonymous id's stays so, by hours: whose it is follows from `links` when it is read, so that late events change it.
 * A link has the least time of its hour; of users who are one person all but one, who it is told as, have moved to that one.
 * `merges` has the alias by which that was last decided. `hour` of a user's traits is 0; of two values of one moment the
 * greater stays, so that any order of arrival leads to the same.
 *
 * Tiles stand by day first: those of a day are written and dropped together. In `amounts`, `lowest` and `highest` are
 * null where `total` is of one number at most. Values and traits are JSON. `results` are intervals of runs: `until` is the
 * first that did not find it any more, and null as long as there is none. `folded` is how far the inbox has been read, and
 * `folded_ahead` how far for a workspace that did not wait for the others.
 */
const PROFILES_SCHEMA = `
CREATE TABLE spaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE measures (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (space, name)) STRICT;
CREATE TABLE users (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, value TEXT NOT NULL, UNIQUE (space, value)) STRICT;
CREATE TABLE moved (id INTEGER PRIMARY KEY, profile INTEGER NOT NULL) STRICT;
CREATE INDEX moved_to ON moved (profile);
CREATE TABLE merges (profile INTEGER PRIMARY KEY, at INTEGER NOT NULL, message TEXT NOT NULL) STRICT;
CREATE TABLE anonymous (
  space INTEGER NOT NULL, value TEXT NOT NULL, id INTEGER NOT NULL UNIQUE, PRIMARY KEY (space, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE links (
  anonymous INTEGER NOT NULL, hour INTEGER NOT NULL, at INTEGER NOT NULL, owner INTEGER NOT NULL,
  PRIMARY KEY (anonymous, hour, at, owner)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_of_owner ON links (owner, anonymous);
CREATE TABLE trait_names (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (space, name)) STRICT;
CREATE TABLE traits (
  name INTEGER NOT NULL, holder INTEGER NOT NULL, hour INTEGER NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (name, holder, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX traits_of_holder ON traits (holder);
CREATE TABLE amounts (
  measure INTEGER NOT NULL, day INTEGER NOT NULL, holder INTEGER NOT NULL, hour INTEGER NOT NULL,
  events INTEGER NOT NULL, numbers INTEGER NOT NULL, total REAL NOT NULL, lowest REAL, highest REAL,
  PRIMARY KEY (measure, day, holder, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE counted_values (
  measure INTEGER NOT NULL, day INTEGER NOT NULL, holder INTEGER NOT NULL, hour INTEGER NOT NULL, value TEXT NOT NULL,
  events INTEGER NOT NULL, PRIMARY KEY (measure, day, holder, hour, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE ends (
  measure INTEGER NOT NULL, day INTEGER NOT NULL, holder INTEGER NOT NULL, hour INTEGER NOT NULL,
  first_at INTEGER NOT NULL, first_message TEXT NOT NULL, first_json TEXT NOT NULL,
  last_at INTEGER NOT NULL, last_message TEXT NOT NULL, last_json TEXT NOT NULL,
  PRIMARY KEY (measure, day, holder, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE computations (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (space, name)) STRICT;
CREATE TABLE runs (
  computation INTEGER NOT NULL, run INTEGER NOT NULL, evaluated INTEGER NOT NULL, size INTEGER NOT NULL,
  entered INTEGER NOT NULL, gone INTEGER NOT NULL, PRIMARY KEY (computation, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE results (
  computation INTEGER NOT NULL, user_id TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER, value TEXT NOT NULL,
  PRIMARY KEY (computation, user_id, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE folded (only INTEGER PRIMARY KEY CHECK (only = 1), position INTEGER NOT NULL) STRICT;
INSERT INTO folded VALUES (1, 0);
${FOLDED_AHEAD}PRAGMA user_version = ${PROFILES_VERSION};
`;

/** In the order of their formats; a change of PROFILES_SCHEMA adds one, and counts PROFILES_VERSION up. */
export const PROFILES_MIGRATIONS: readonly SqlMigration[] = [
  {
    from: 1,
    what: 'a trait no longer keeps the id of the message that said it',
    sql: 'ALTER TABLE traits DROP COLUMN message',
  },
  {
    from: 2,
    what: 'what one workspace caught can be counted before what others did',
    sql: FOLDED_AHEAD,
  },
];

export const prepareProfiles = preparing({
  tables: PROFILES_SCHEMA,
  version: PROFILES_VERSION,
  migrations: PROFILES_MIGRATIONS,
});
