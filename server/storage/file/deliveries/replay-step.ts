import type { DatabaseSync } from 'node:sqlite';
import type { LogFilter } from '../../../model/logged-delivery.ts';
import type { Replay, ReplayState } from '../../../model/replay.ts';
import type { Moment } from '../../../ports/clock.ts';
import { MAX_REPLAYS } from '../../job-storage.ts';
import type { Position } from '../../logged-rows.ts';
import type { Operations } from '../../verbs.ts';
import { CHOSEN, valuesOf } from './filter.ts';
import type { Names } from './names.ts';
import { examine, query, type Query } from './query.ts';
import { superseded } from './still-told.ts';
import { countWaiting } from './telling-operations.ts';

/** A job as it is stored. It has dealt with everything up to `atReceived` and `atId`, and stops after `lastId`. */
export interface JobRow {
  readonly id: number;
  readonly destination: string;
  readonly state: ReplayState;
  readonly filter: string;
  readonly dryRun: number;
  readonly perSecond: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly examined: number;
  readonly matched: number;
  readonly atReceived: number;
  readonly atId: number;
  readonly lastId: number;
}

export interface StepParts {
  readonly database: DatabaseSync;
  readonly names: Names;
  readonly job: Query<JobRow>;
  readonly replayOne: ReplayOne;
  readonly replayOf: (row: JobRow) => Replay;
}

type Place = Position & { readonly type: string; readonly isChosen: number };

export function replayStep({ database, names, job, replayOne, replayOf }: StepParts): Operations['stepReplay'] {
  const places = query<Place>(
    database,
    `SELECT d.received_at AS receivedAt, d.id AS delivery, d.type, d.id <= :lastId AND ${CHOSEN} AS isChosen FROM deliveries d
     WHERE d.destination = :destination AND d.received_at < :to AND (d.received_at, d.id) > (:atReceived, :atId)
     ORDER BY d.received_at, d.id`,
  );
  const waiting = countWaiting(database);
  const [isTooOften, isSuperseded] = [tooOften(database), superseded(database)];
  const mayBeSent = ({ type, delivery }: Place): boolean =>
    !isTooOften(delivery) && (type !== 'identify' || !isSuperseded(delivery));
  const advance = database.prepare(`
    UPDATE replay_jobs SET examined = examined + ?, matched = matched + ?, at_received = ?, at_id = ?, state = ?, ended_at = ?
    WHERE id = ?`);
  return ({ replay, at: moment, limit, waitingLimit }) => {
    const row = job.get(replay);
    if (row?.state !== 'running') return undefined;
    const destination = names.idOf(row.destination);
    const isDry = row.dryRun === 1;
    const room = isDry ? waitingLimit : waitingLimit - waiting(destination, waitingLimit);
    if (room <= 0) return { replay: replayOf(row), replayed: 0, held: true };
    const most = isDry ? Infinity : Math.min(limit, room);
    const chosen: Place[] = [];
    let [at, examined]: [Position, number] = [{ receivedAt: row.atReceived, delivery: row.atId }, 0];
    const { isMore } = examine(places.each({ ...bounds(row), destination }), (place) => {
      const isChosen = place.isChosen === 1 && mayBeSent(place);
      if (isChosen && chosen.length === most) return false;
      if (isChosen) chosen.push(place);
      [at, examined] = [place, examined + 1];
      return true;
    });
    for (const { delivery } of chosen) if (!isDry) replayOne(delivery, moment);
    const [state, endedAt] = isMore ? ['running', null] : ['finished', moment.wall];
    advance.run(examined, chosen.length, at.receivedAt, at.delivery, state, endedAt, replay);
    return { replay: replayOf(job.get(replay) ?? row), replayed: isDry ? 0 : chosen.length, held: false };
  };
}

function bounds({ filter, atReceived, atId, lastId }: JobRow): Record<string, ReturnType<typeof valuesOf>[string]> {
  // It was written by this store as JSON of this type.
  const wanted: LogFilter = JSON.parse(filter);
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = wanted;
  const after = atReceived >= from ? { atReceived, atId } : { atReceived: from, atId: 0 };
  return { ...valuesOf(wanted), to, ...after, lastId };
}

/** Whether a delivery was replayed as often as it may be. */
export function tooOften(database: DatabaseSync): (delivery: number) => boolean {
  const last = query(database, `SELECT 1 FROM replays WHERE delivery = ? LIMIT 1 OFFSET ${MAX_REPLAYS - 1}`);
  return (delivery) => last.get(delivery) !== undefined;
}

/** Makes a delivery that has ended pending again, with a fresh window and all its webhooks; false when it has not ended. */
export type ReplayOne = (delivery: number, at: Moment) => boolean;

export function createReplayOne(database: DatabaseSync): ReplayOne {
  const revive = database.prepare(`
    UPDATE deliveries
    SET state = 'pending', due_at = ?1, set_at = ?1, window_from = ?1, earlier_rounds = round, tries = 0, closed = '[]'
    WHERE id = ?2 AND state NOT IN ('pending', 'trying')`);
  const note = database.prepare(`
    INSERT OR IGNORE INTO replays (delivery, earlier_rounds, at) SELECT id, earlier_rounds, ?1 FROM deliveries WHERE id = ?2`);
  return (delivery, at) => {
    if (revive.run(at.steady, delivery).changes === 0) return false;
    note.run(at.wall, delivery);
    return true;
  };
}
