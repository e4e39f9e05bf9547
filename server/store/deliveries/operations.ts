import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Attempt, Backlog, ClaimRequest, RoundRecord } from '../../ports/delivery-store.ts';
import type { AcceptanceRow, ClaimRow, Operations } from './calls.ts';
import { createNames, type Names } from './names.ts';

/** The operations of the store on an open database. Each runs within the transaction of its group. */
export function createOperations(database: DatabaseSync): Operations {
  const names = createNames(database);
  return {
    accept: accept(database, names),
    claim: claim(database, names),
    record: record(database),
    release: release(database),
    recover: recover(database),
    backlog: backlog(database),
    rolledBack: () => names.forget(),
  };
}

function accept(database: DatabaseSync, names: Names): Operations['accept'] {
  const see = database.prepare('INSERT OR IGNORE INTO seen (source, message_id) VALUES (?, ?)');
  const message = database.prepare('INSERT INTO messages (source, received_at, event) VALUES (?, ?, ?)');
  const delivery = database.prepare(
    "INSERT INTO deliveries (message, destination, state, round, due_at, closed) VALUES (?, ?, ?, ?, ?, '[]')",
  );
  const acceptOne = (row: AcceptanceRow): number[] | null => {
    const source = names.idOf(row.source);
    if (see.run(source, row.messageId).changes === 0) return null;
    if (row.routes.length === 0) return [];
    const id = Number(message.run(source, row.receivedAt, row.event).lastInsertRowid);
    return row.routes.map(({ destination, claimed }) => {
      const [state, round] = claimed ? ['trying', 1] : ['pending', 0];
      return Number(delivery.run(id, names.idOf(destination), state, round, row.receivedAt).lastInsertRowid);
    });
  };
  return (rows) => rows.map(acceptOne);
}

/** How many of the oldest are looked at to find the one that has been tried least. */
const PROBE_AMONG = 100;

function claim(database: DatabaseSync, names: Names): Operations['claim'] {
  const due = claimable(database, 'AND d.due_at <= ? ORDER BY d.due_at LIMIT ?');
  const received = claimable(database, 'AND m.received_at <= ? ORDER BY d.id LIMIT ?');
  const oldest = claimable(database, 'ORDER BY d.id LIMIT ?');
  const take = database.prepare("UPDATE deliveries SET state = 'trying', round = round + 1 WHERE id = ?");
  const nextDue = typed<{ dueAt: number | null }>(
    database.prepare("SELECT min(due_at) AS dueAt FROM deliveries WHERE state = 'pending' AND destination = ?"),
  );
  const select = (id: number, request: ClaimRequest): readonly ClaimRow[] => {
    switch (request.which) {
      case 'due':
        return due.all(id, request.now, request.limit);
      case 'received':
        return received.all(id, request.upTo, request.limit);
      case 'probe':
        return oldest
          .all(id, PROBE_AMONG)
          .toSorted((a, b) => a.round - b.round)
          .slice(0, request.limit);
    }
  };
  return (request) => {
    const id = names.idOf(request.destination);
    const rows = select(id, request);
    for (const row of rows) take.run(row.delivery);
    const [next] = nextDue.all(id);
    return { rows, nextDueAt: next?.dueAt ?? undefined, oldestReceivedAt: oldest.all(id, 1)[0]?.receivedAt };
  };
}

function claimable(database: DatabaseSync, condition: string): Typed<ClaimRow> {
  return typed<ClaimRow>(
    database.prepare(`
      SELECT d.id AS delivery, n.name AS source, m.received_at AS receivedAt, m.event, d.round + 1 AS round, d.closed
      FROM deliveries d JOIN messages m ON m.id = d.message JOIN names n ON n.id = m.source
      WHERE d.state = 'pending' AND d.destination = ? ${condition}`),
  );
}

function record(database: DatabaseSync): Operations['record'] {
  const end = database.prepare('UPDATE deliveries SET state = ? WHERE id = ?');
  const postpone = database.prepare("UPDATE deliveries SET state = 'pending', due_at = ?, closed = ? WHERE id = ?");
  const attempt = database.prepare(`
    INSERT INTO attempts (delivery, round, webhook, started_at, duration_ms, outcome, status, excerpt, rule)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const keep = (round: RoundRecord, a: Attempt): void => {
    const { webhook, startedAt, durationMs, outcome, excerpt, rule } = a;
    const duration = Math.round(durationMs);
    attempt.run(round.delivery, round.round, webhook, startedAt, duration, outcome, a.status ?? null, excerpt, rule);
  };
  return (rounds) => {
    for (const round of rounds) {
      const { verdict, delivery } = round;
      if (verdict.state === 'pending') postpone.run(verdict.dueAt, JSON.stringify(verdict.closed), delivery);
      else end.run(verdict.state, delivery);
      for (const a of round.attempts) keep(round, a);
    }
  };
}

function release(database: DatabaseSync): Operations['release'] {
  const free = database.prepare(
    "UPDATE deliveries SET state = 'pending', round = round - 1 WHERE id = ? AND state = 'trying'",
  );
  return (deliveries) => {
    for (const delivery of deliveries) free.run(delivery);
  };
}

function recover(database: DatabaseSync): Operations['recover'] {
  // Their rounds stay counted: they may have been sent, and a delivery that ends the process must not be endless.
  const free = database.prepare("UPDATE deliveries SET state = 'pending', due_at = ? WHERE state = 'trying'");
  return (now) => Number(free.run(now).changes);
}

function backlog(database: DatabaseSync): Operations['backlog'] {
  const waiting = typed<Backlog>(
    database.prepare(`
      SELECT n.name AS destination, count(*) AS waiting, min(d.due_at) AS nextDueAt
      FROM deliveries d JOIN names n ON n.id = d.destination
      WHERE d.state = 'pending' GROUP BY d.destination`),
  );
  return () => waiting.all();
}

/** A query whose rows are known: the columns of its SQL name the fields of `Row`. */
interface Typed<Row> {
  all(...parameters: (string | number)[]): Row[];
}

function typed<Row>(statement: StatementSync): Typed<Row> {
  return {
    all: (...parameters) => {
      const rows: unknown = statement.all(...parameters);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SELECT beside each use says what rows are
      return rows as Row[];
    },
  };
}
