/**
 * The physical limit of durable ingestion on this machine: a node:http server that parses a batch, inserts the rows that
 * the router inserts, and answers once they are synced; requests of one turn of the event loop share a commit. It checks
 * nothing, normalizes nothing and routes nothing. With the URL of a webhook, it also posts each event there, signed, and
 * stores that it has, with the next commit. Run as a process of its own.
 */
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Agent, request as send } from 'undici';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';

interface Row {
  readonly messageId: string;
}

interface Delivery {
  readonly id: number | bigint;
  readonly body: string;
}

const [file = ':memory:', webhook = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
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

const record = database.prepare("UPDATE deliveries SET state = 'delivered', closed = '[200]' WHERE id = ?");
const dispatcher = new Agent({ connections: DEFAULT_POLICY.perDestination, pipelining: 1, allowH2: false });

let group: { rows: readonly Row[]; response: ServerResponse }[] = [];
let posted: Delivery[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { batch }: { batch: Row[] } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (group.push({ rows: batch, response }) === 1 && posted.length === 0) setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ address: server.address() }));
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit(0));

function commit(): void {
  const [requests, ended] = [group, posted];
  [group, posted] = [[], []];
  const now = Date.now();
  database.exec('BEGIN');
  for (const { id } of ended) record.run(id);
  const made = requests.flatMap(({ rows }) => rows).map((row) => stored(row, now));
  database.exec('COMMIT');
  for (const { response } of requests) response.end('{"success":true}');
  for (const one of webhook === '' ? [] : made) void post(one);
}

function stored(row: Row, now: number): Delivery {
  see.run(row.messageId);
  const body = JSON.stringify(row);
  return { id: delivery.run(message.run(now, body).lastInsertRowid, now).lastInsertRowid, body };
}

async function post(one: Delivery): Promise<void> {
  const signature = createHmac('sha1', 's3cret').update(one.body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  const answer = await send(webhook, { method: 'POST', headers, body: one.body, dispatcher });
  await answer.body.dump();
  if (posted.push(one) === 1 && group.length === 0) setImmediate(commit);
}
