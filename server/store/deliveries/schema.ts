import type { DatabaseSync } from 'node:sqlite';

/** Stored in the file itself; a file of another number is refused rather than misread. */
export const SCHEMA_VERSION = 1;

/**
 * `names` keeps each resource name once. `messages.event` is the event as JSON. `deliveries.state` is one of pending,
 * trying, delivered, failed, expired, cancelled; `closed` is a JSON list of URLs; `due_at` counts only while pending.
 * `seen` holds the message ids of each source (D-43). All times are milliseconds since the epoch.
 */
const SCHEMA = `
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE seen (source INTEGER NOT NULL, message_id TEXT NOT NULL, PRIMARY KEY (source, message_id)) STRICT, WITHOUT ROWID;
CREATE TABLE messages (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, received_at INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY, message INTEGER NOT NULL, destination INTEGER NOT NULL, state TEXT NOT NULL,
  round INTEGER NOT NULL, due_at INTEGER NOT NULL, closed TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_pending ON deliveries (destination, due_at) WHERE state = 'pending';
CREATE INDEX deliveries_oldest ON deliveries (destination, id) WHERE state = 'pending';
CREATE INDEX deliveries_trying ON deliveries (id) WHERE state = 'trying';
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, round INTEGER NOT NULL, webhook TEXT NOT NULL,
  started_at INTEGER NOT NULL, duration_ms INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER,
  excerpt TEXT NOT NULL, rule TEXT NOT NULL
) STRICT;
CREATE INDEX attempts_of_delivery ON attempts (delivery);
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Readies an open file: WAL with a sync on every commit, so that what is answered as stored survives (ING-10), and a lock
 * that the system frees when the process ends, so that two routers never share a data folder.
 */
export function prepare(database: DatabaseSync): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const version = Number(valueOf(database, 'PRAGMA user_version'));
  if (version === 0) database.exec(`BEGIN; ${SCHEMA} COMMIT;`);
  else if (version !== SCHEMA_VERSION) {
    throw new Error(`it has format ${version}, and this Waybill reads format ${SCHEMA_VERSION}`);
  }
  const health = valueOf(database, 'PRAGMA quick_check(1)');
  if (health !== 'ok') throw new Error(`it is damaged (${String(health)}); restore it from a copy`);
}

function valueOf(database: DatabaseSync, sql: string): unknown {
  const row = database.prepare(sql).get();
  return row === undefined ? undefined : Object.values(row)[0];
}
