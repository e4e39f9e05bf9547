/**
 * The physical limit of durable ingestion on this machine: a node:http server that parses a batch, inserts the rows that
 * the router inserts, and answers once they are synced; requests of one turn of the event loop share a commit. It checks
 * nothing, normalizes nothing and routes nothing. Run as a process of its own.
 */
import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

interface Row {
  readonly messageId: string;
}

const database = new DatabaseSync(process.argv[2] ?? ':memory:');
database.exec(`
  PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE seen (source INTEGER NOT NULL, message_id TEXT NOT NULL, PRIMARY KEY (source, message_id)) STRICT, WITHOUT ROWID;
  CREATE TABLE messages (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, received_at INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
  CREATE TABLE deliveries (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, destination INTEGER NOT NULL, state TEXT NOT NULL,
    round INTEGER NOT NULL, due_at INTEGER NOT NULL, closed TEXT NOT NULL) STRICT;
  CREATE INDEX deliveries_pending ON deliveries (destination, due_at) WHERE state = 'pending';
`);
const see = database.prepare('INSERT OR IGNORE INTO seen VALUES (1, ?)');
const message = database.prepare('INSERT INTO messages (source, received_at, event) VALUES (1, ?, ?)');
const delivery = database.prepare("INSERT INTO deliveries VALUES (NULL, ?, 1, 'pending', 0, ?, '[]')");

let group: { rows: readonly Row[]; response: ServerResponse }[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { batch }: { batch: Row[] } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (group.push({ rows: batch, response }) === 1) setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ address: server.address() }));
process.on('disconnect', () => process.exit(0));

function commit(): void {
  const requests = group;
  group = [];
  const now = Date.now();
  database.exec('BEGIN');
  for (const row of requests.flatMap(({ rows }) => rows)) {
    see.run(row.messageId);
    delivery.run(message.run(now, JSON.stringify(row)).lastInsertRowid, now);
  }
  database.exec('COMMIT');
  for (const { response } of requests) response.end('{"success":true}');
}
