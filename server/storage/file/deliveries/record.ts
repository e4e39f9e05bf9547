import type { DatabaseSync } from 'node:sqlite';
import type { Attempt, RoundRecord } from '../../../model/delivery.ts';
import { countedAs, triedAgainAt } from '../../../model/logged-delivery.ts';
import type { StoredClaim } from '../../stored-claim.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { SqliteOperations } from './calls.ts';
import { flatClaims } from './flat-rows.ts';
import { lines } from './lines.ts';
import type { OwnLife } from './members.ts';
import type { Names } from './names.ts';
import { roundsIn } from './rounds-text.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { tallies, type Tally } from './tally.ts';

export interface RecordParts {
  readonly database: DatabaseSync;
  readonly names: Names;
  readonly life: Pick<OwnLife, 'has' | 'epoch'>;
  readonly bytes: Pick<StoredBytes, 'addAttempt'>;
  readonly room: Pick<DiskRoom, 'recent'>;
}

export function record({ database, names, life, bytes, room }: RecordParts): SqliteOperations['record'] {
  const settle = settleRound(database);
  const keep = keepAttempt(database);
  const newTally = tallies(database, names);
  const inLines = lines(database);
  return (text) => {
    const tally = newTally();
    // How deliveries end is stored in room that events leave: what many receivers answered would soon take all of it.
    const { free, kept } = room.recent();
    const refused: number[] = [];
    const next: { readonly destination: string; readonly row: StoredClaim }[] = [];
    for (const [index, round] of roundsIn(text).entries()) {
      const isAlive = life.has(round);
      const counts = isAlive && settle(round, tally);
      if (!counts) refused.push(index);
      for (const given of isAlive ? round.attempts : []) {
        const attempt = free < kept ? { ...given, excerpt: '' } : given;
        keep(round, attempt);
        bytes.addAttempt(round.destination, attempt.startedAt, attempt.excerpt);
      }
      const { destination, line, verdict } = round;
      if (!counts || line === undefined || verdict.state === 'pending') continue;
      const row = inLines.takeNext(names.idOf(destination), line);
      if (row !== undefined) next.push({ destination, row });
    }
    tally.write();
    const destinations = next.map(({ destination }) => destination);
    return { refused, destinations, claims: flatClaims(next.map(({ row }) => row)), epoch: life.epoch };
  };
}

/** Only the round that is being tried can end or postpone its delivery: reports that come late find another state. */
const THIS_ROUND = "WHERE id = ? AND round = ? AND state = 'trying'";

/** True when the verdict counts. */
function settleRound(database: DatabaseSync): (round: RoundRecord, tally: Tally) => boolean {
  // The row must not grow, or the pages that it shares with others would be split: the due time makes room for the state.
  const end = database.prepare(`UPDATE deliveries SET state = ?, ended_at = ?, due_at = 0 ${THIS_ROUND}`);
  const postpone = database.prepare(
    `UPDATE deliveries SET state = 'pending', due_at = ?, set_at = ?, tries = ?, closed = ? ${THIS_ROUND}`,
  );
  return (reported, tally) => {
    const { delivery, round, destination, verdict, endedAt } = reported;
    const fence = [Number(delivery), round] as const;
    const { changes } =
      verdict.state === 'pending'
        ? postpone.run(verdict.dueAt, verdict.setAt, verdict.tries, JSON.stringify(verdict.closed), ...fence)
        : end.run(verdict.state, endedAt, ...fence);
    if (changes === 0) return false;
    for (const what of countedAs(reported)) tally.count(destination, endedAt, what);
    return true;
  };
}

function keepAttempt(database: DatabaseSync): (round: RoundRecord, attempt: Attempt) => void {
  const insert = database.prepare(`
    INSERT OR IGNORE INTO attempts (delivery, round, webhook, started_at, number, duration_ms, outcome, status, excerpt, rule,
      next_due_at, connect_ms, send_ms, wait_ms, read_ms)
    SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM deliveries WHERE id = ?1)`);
  return (reported, attempt) => {
    const { webhook, number, startedAt, outcome, status = null, excerpt, rule, phases = {} } = attempt;
    const { delivery, round } = reported;
    const dueAt = triedAgainAt(reported, webhook) ?? null;
    const duration = Math.round(attempt.durationMs);
    const { connectMs = null, sendMs = null, waitMs = null, readMs = null } = phases;
    const parts = [connectMs, sendMs, waitMs, readMs];
    const what = [outcome, status, excerpt, rule, dueAt];
    insert.run(Number(delivery), round, webhook, startedAt, number, duration, ...what, ...parts);
  };
}
