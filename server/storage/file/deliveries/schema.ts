import type { DatabaseSync } from 'node:sqlite';
import { outdated, type SqlMigration, stepsFrom, unreadable } from '../formats.ts';

/** Stored in the file itself; a file of a number that is not known is refused rather than misread. */
export const SCHEMA_VERSION = 8;

const USED_IDS = `
CREATE TABLE used_ids (owner TEXT NOT NULL, id BLOB NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (owner, id)) STRICT, WITHOUT ROWID;
CREATE INDEX used_ids_until ON used_ids (until);`;
/** What one workspace has of what many may have millions of. */
const OF_ONE = `
CREATE INDEX inbox_of_source ON inbox (source, id);
CREATE INDEX replay_jobs_ended ON replay_jobs (ended_at) WHERE state <> 'running';`;

/**
 * `names` keeps each resource name once. `seen` holds the fingerprints of accepted message ids, a row for each commit
 * (D-43). `messages.event` is the event as JSON. All times are milliseconds since the epoch: steady ones
 * (HOOK-21) where something waits (`due_at`, `set_at`, `window_from`, `seen_at`), and the wall's, for people, elsewhere.
 *
 * `deliveries.state` is one of pending, trying, delivered, failed, expired, cancelled; `closed` is a JSON list of URLs;
 * `due_at` counts only while pending, `ended_at` only once ended. `set_at` is the moment at which `due_at` was chosen, and
 * never after it. `window_from` is the acceptance or the last replay, before which there were `earlier_rounds`, and since
 * which `tries` rounds attempted something that counts. `type`, `event` and `user_id` repeat what the log is searched by, beside what
 * it is searched in. Ids are never given twice, and those of one message stand next to each other. `line` is NULL where the
 * destination keeps no order; of a line, only the first that has not ended, by `window_from` and id, is ever tried.
 *
 * `attempts.number` tells those of one moment apart: who reports an attempt again reports it with the same number.
 *
 * `counts` is what the metrics are made of, by hour. `replays` is one row for each replay of a delivery, and
 * `replay_jobs` the bulk replays, which have got as far as the delivery `at_id`, accepted at `at_received`. `members` has the
 * number of the last life of the node, which holds what is being tried, and beside it by how much the wall was set (`set-clock.ts`).
 *
 * `inbox` has what audiences are to see of accepted events, until they have; its ids are never given twice. `syncs` are runs of
 * audiences and computed traits, with what was counted and how far they are as JSON. `told` is what a destination was told of a
 * user last, by which sync and which delivery; its value is NULL where it may not have heard it. `held_in` is the sync that could not
 * tell it yet, or 0. `tellings` are those that no sync has counted as ended. `erasures` has one row, which counts them.
 *
 * `used_ids` has digests of what may be used once, each until the moment, by the wall, from which it is refused anyway.
 */
const SCHEMA = `
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE seen (id INTEGER PRIMARY KEY, seen_at INTEGER NOT NULL, ids BLOB NOT NULL) STRICT;
CREATE TABLE messages (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, received_at INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY, message INTEGER NOT NULL, destination INTEGER NOT NULL, state TEXT NOT NULL,
  round INTEGER NOT NULL, tries INTEGER NOT NULL, due_at INTEGER NOT NULL, set_at INTEGER NOT NULL, closed TEXT NOT NULL,
  received_at INTEGER NOT NULL, window_from INTEGER NOT NULL, earlier_rounds INTEGER NOT NULL,
  ended_at INTEGER NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, user_id TEXT NOT NULL, line INTEGER
) STRICT;
CREATE INDEX deliveries_pending ON deliveries (destination, due_at) WHERE state = 'pending';
CREATE INDEX deliveries_oldest ON deliveries (destination, window_from) WHERE state = 'pending';
CREATE INDEX deliveries_trying ON deliveries (id) WHERE state = 'trying';
CREATE INDEX deliveries_log ON deliveries (destination, received_at);
CREATE INDEX deliveries_lines ON deliveries (destination, line, window_from) WHERE line IS NOT NULL AND state IN ('pending', 'trying');
CREATE TABLE attempts (
  delivery INTEGER NOT NULL, round INTEGER NOT NULL, started_at INTEGER NOT NULL, number INTEGER NOT NULL,
  webhook TEXT NOT NULL, duration_ms INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER,
  excerpt TEXT NOT NULL, rule TEXT NOT NULL, next_due_at INTEGER,
  connect_ms INTEGER, send_ms INTEGER, wait_ms INTEGER, read_ms INTEGER,
  PRIMARY KEY (delivery, round, started_at, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE counts (
  hour INTEGER NOT NULL, destination INTEGER NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (hour, destination, what)
) STRICT, WITHOUT ROWID;
CREATE TABLE replays (
  delivery INTEGER NOT NULL, earlier_rounds INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (delivery, at, earlier_rounds)
) STRICT, WITHOUT ROWID;
CREATE TABLE replay_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, destination INTEGER NOT NULL, state TEXT NOT NULL, filter TEXT NOT NULL,
  dry_run INTEGER NOT NULL, per_second INTEGER NOT NULL, created_at INTEGER NOT NULL, ended_at INTEGER,
  examined INTEGER NOT NULL, matched INTEGER NOT NULL,
  at_received INTEGER NOT NULL, at_id INTEGER NOT NULL, last_id INTEGER NOT NULL
) STRICT;
CREATE INDEX replay_jobs_of_destination ON replay_jobs (destination, id);
CREATE INDEX replay_jobs_running ON replay_jobs (id) WHERE state = 'running';
CREATE TABLE members (node TEXT PRIMARY KEY, epoch INTEGER NOT NULL) STRICT;
CREATE TABLE inbox (id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, caught TEXT NOT NULL) STRICT;
CREATE TABLE syncs (
  computation INTEGER NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER,
  computed TEXT, progress TEXT NOT NULL, sent INTEGER NOT NULL, delivered INTEGER NOT NULL, failed INTEGER NOT NULL,
  expired INTEGER NOT NULL, superseded INTEGER NOT NULL, held INTEGER NOT NULL, reason TEXT,
  PRIMARY KEY (computation, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX syncs_running ON syncs (computation) WHERE state = 'RUNNING';
CREATE INDEX syncs_ended ON syncs (ended_at);
CREATE TABLE told (
  computation INTEGER NOT NULL, destination INTEGER NOT NULL, user_id TEXT NOT NULL, value TEXT, sync INTEGER NOT NULL,
  delivery INTEGER NOT NULL, held_in INTEGER NOT NULL,
  PRIMARY KEY (computation, destination, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tellings (delivery INTEGER PRIMARY KEY, computation INTEGER NOT NULL, sync INTEGER NOT NULL) STRICT;
CREATE INDEX tellings_of_sync ON tellings (computation, sync);
CREATE TABLE erasures (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
INSERT INTO erasures VALUES (1, 0);
${USED_IDS}
${OF_ONE}
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** In the order of their formats; a change of SCHEMA adds one, and counts SCHEMA_VERSION up. */
export const SCHEMA_MIGRATIONS: readonly SqlMigration[] = [
  {
    from: 2,
    what: 'deliveries know how many rounds attempted something, and when they were told to wait',
    sql: `
ALTER TABLE deliveries ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN set_at INTEGER NOT NULL DEFAULT 0;
UPDATE deliveries SET set_at = window_from,
  tries = (SELECT count(DISTINCT round) FROM attempts a WHERE a.delivery = deliveries.id AND a.round > earlier_rounds)
WHERE state IN ('pending', 'trying');
`,
  },
  {
    from: 3,
    what: 'each start of a router has a number, by which it holds what it is sending',
    sql: 'CREATE TABLE members (node TEXT PRIMARY KEY, epoch INTEGER NOT NULL) STRICT;',
  },
  {
    from: 4,
    what: 'what audiences see of events, and what destinations were told of them, has a place',
    sql: `
CREATE TABLE inbox (id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, caught TEXT NOT NULL) STRICT;
CREATE TABLE syncs (
  computation INTEGER NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER,
  computed TEXT, progress TEXT NOT NULL, sent INTEGER NOT NULL, delivered INTEGER NOT NULL, failed INTEGER NOT NULL,
  expired INTEGER NOT NULL, superseded INTEGER NOT NULL, held INTEGER NOT NULL, reason TEXT,
  PRIMARY KEY (computation, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX syncs_running ON syncs (computation) WHERE state = 'RUNNING';
CREATE INDEX syncs_ended ON syncs (ended_at);
CREATE TABLE told (
  computation INTEGER NOT NULL, destination INTEGER NOT NULL, user_id TEXT NOT NULL, value TEXT, sync INTEGER NOT NULL,
  delivery INTEGER NOT NULL, held_in INTEGER NOT NULL,
  PRIMARY KEY (computation, destination, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tellings (delivery INTEGER PRIMARY KEY, computation INTEGER NOT NULL, sync INTEGER NOT NULL) STRICT;
CREATE INDEX tellings_of_sync ON tellings (computation, sync);
CREATE TABLE erasures (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
INSERT INTO erasures VALUES (1, 0);
`,
  },
  {
    from: 5,
    what: 'deliveries know the line in which they are, where a destination keeps the order of each user',
    sql: `
ALTER TABLE deliveries ADD COLUMN line INTEGER;
CREATE INDEX deliveries_lines ON deliveries (destination, line, window_from) WHERE line IS NOT NULL AND state IN ('pending', 'trying');
`,
  },
  { from: 6, what: 'what senders may use once is remembered over restarts', sql: USED_IDS },
  {
    from: 7,
    what: 'what one workspace caught for its audiences, and replays that are to go, are found among any number of others',
    sql: OF_ONE,
  },
];

/** What a file of SQLite is made with, and how one of an older format is brought up to it. */
interface Schema {
  readonly tables: string;
  readonly version: number;
  readonly migrations: readonly SqlMigration[];
}

/** Readies an open file, and makes its tables when it has none. Throws when it has another format. */
export function preparing({ tables, version, migrations }: Schema): (database: DatabaseSync) => void {
  return (database) => {
    lock(database);
    const format = formatOf(database);
    if (format === 0) database.exec(`BEGIN; ${tables} COMMIT;`);
    else if (format !== version) {
      const isKnown = stepsFrom(migrations, format, version) !== undefined;
      throw new Error(`it ${isKnown ? outdated(format, version) : unreadable(format, version)}`);
    }
  };
}

export const prepare = preparing({ tables: SCHEMA, version: SCHEMA_VERSION, migrations: SCHEMA_MIGRATIONS });

/** What a log grew beyond this, as while a backup is read, is given back to the disk once it is taken over. */
const KEPT_LOG_BYTES = 16_777_216;

/**
 * WAL with a sync on every commit, so that what is answered as stored survives (ING-10), and a lock that the system frees
 * when the process ends, so that two routers never share a data folder. Pages that retention frees can be given back to
 * the disk bit by bit, which a file has to be told before its first table.
 */
export function lock(database: DatabaseSync): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA auto_vacuum = INCREMENTAL;');
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${KEPT_LOG_BYTES};`);
}

export function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
