import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { eventOf } from './engine.ts';

const NOW = Date.UTC(2026, 0, 1);
const A = 'workspaces/main/sources/js/destinations/webhooks';

/** The tables of format 2, as they were when it was the latest. */
const FORMAT_2 = `
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE seen (id INTEGER PRIMARY KEY, seen_at INTEGER NOT NULL, ids BLOB NOT NULL) STRICT;
CREATE TABLE messages (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, received_at INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY, message INTEGER NOT NULL, destination INTEGER NOT NULL, state TEXT NOT NULL,
  round INTEGER NOT NULL, due_at INTEGER NOT NULL, closed TEXT NOT NULL,
  received_at INTEGER NOT NULL, window_from INTEGER NOT NULL, earlier_rounds INTEGER NOT NULL,
  ended_at INTEGER NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, user_id TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_pending ON deliveries (destination, due_at) WHERE state = 'pending';
CREATE INDEX deliveries_oldest ON deliveries (destination, window_from) WHERE state = 'pending';
CREATE INDEX deliveries_trying ON deliveries (id) WHERE state = 'trying';
CREATE INDEX deliveries_log ON deliveries (destination, received_at);
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
PRAGMA user_version = 2;
`;

/** Takes a profile store back to format 1, in which a trait kept the id of its message. */
export function toProfilesFormat1(path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE earlier (
      name INTEGER NOT NULL, holder INTEGER NOT NULL, hour INTEGER NOT NULL, at INTEGER NOT NULL, message TEXT NOT NULL,
      value TEXT NOT NULL, PRIMARY KEY (name, holder, hour)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO earlier SELECT name, holder, hour, at, 'm-' || at, value FROM traits;
    DROP TABLE traits; ALTER TABLE earlier RENAME TO traits;
    CREATE INDEX traits_of_holder ON traits (holder);
    DROP TABLE folded_ahead;
    PRAGMA user_version = 1`);
}

/** Makes a delivery store of format 2 in a folder: a delivery that waits after two rounds with an attempt, and one that was being tried. */
export function fileOfFormat2(folder: string): string {
  const path = join(folder, 'deliveries.sqlite');
  using database = new DatabaseSync(path);
  database.exec(FORMAT_2);
  const event = (messageId: string): string => JSON.stringify(eventOf(NOW, { messageId }));
  database.exec(`INSERT INTO names VALUES (1, 'workspaces/main/sources/js'), (2, '${A}')`);
  const message = database.prepare('INSERT INTO messages VALUES (?, 1, ?, ?)');
  const delivery = database.prepare(
    "INSERT INTO deliveries VALUES (?, ?, 2, ?, ?, ?, '[]', ?, ?, ?, ?, 'track', 'Order Completed', 'u1')",
  );
  const attempt = database.prepare(
    "INSERT INTO attempts VALUES (?, ?, ?, 1, 'https://a.test/', 1, 'http_5xx', 503, '', 'HOOK-9', NULL, 1, 1, 1, 1)",
  );
  message.run(1, NOW, event('waits'));
  delivery.run(1, 1, 'pending', 4, NOW + 9_000, NOW, NOW, 1, NOW);
  for (const round of [1, 2, 4]) attempt.run(1, round, NOW + round);
  message.run(2, NOW, event('trying'));
  delivery.run(2, 2, 'trying', 1, NOW, NOW, NOW, 0, NOW);
  message.run(3, NOW, event('ended'));
  delivery.run(3, 3, 'delivered', 1, 0, NOW, NOW, 0, NOW);
  return path;
}
