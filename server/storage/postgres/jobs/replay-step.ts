import type { JobStorage, ReplayProgress, ReplayStep } from '../../job-storage.ts';
import type { Position } from '../../logged-rows.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { CHOSEN, valuesOf } from '../log/filter.ts';
import { MAX_EXAMINED } from '../log/list.ts';
import type { JobParts } from './job-operations.ts';
import { isTooOften, REVIVE } from './replay-one.ts';
import { filterOf, REPLAY_COLUMNS, replayOf, type ReplayRow } from './replay-jobs.ts';
import { holdTellings, isTelling, stillTold } from './still-told.ts';

/** Whoever else has a step of this job under way goes first, and this one goes on behind it. */
const LOCK = writes(
  'lock_replay',
  `SELECT ${REPLAY_COLUMNS}, j.destination AS number FROM replay_jobs j WHERE j.id = $1 AND j.state = 'running' FOR UPDATE`,
);
const WAITING = reads(
  'count_waiting',
  'SELECT count(*) AS count FROM (SELECT FROM queue WHERE destination = $1 LIMIT $2) waiting',
);

/**
 * What has ended, from the place of the job on, row by row until enough were chosen; the last that was looked at comes in any
 * case. Each message has the number of the newest bulk replay that there was when it was accepted: a replay with a greater
 * one was made later, whatever the ids are and in whatever order accepts were committed.
 */
const EXAMINE = reads(
  'examine_for_replay',
  `SELECT delivery, "receivedAt", place, last, chosen, chosen AND ${isTelling('type', 'message')} AS "isTelling" FROM (
    SELECT id AS delivery, message, type, received_at AS "receivedAt", row_number() OVER () AS place, lead(id) OVER () IS NULL AS last,
      ${CHOSEN} AND (SELECT m.replay FROM messages m WHERE m.id = message) < $5 AND NOT ${isTooOften('id')} AS chosen
    FROM (
      SELECT id, message, received_at, state, type, event, user_id FROM log
      WHERE destination = $6 AND (received_at, id) > ($7, $8) AND received_at < $9
      ORDER BY received_at, id LIMIT ${MAX_EXAMINED}
    ) behind
  ) examined WHERE chosen OR last LIMIT $10`,
);
const ADVANCE = writes(
  'advance_replay',
  `UPDATE replay_jobs j SET examined = examined + $2, matched = matched + $3, at_received = $4, at_id = $5,
     state = CASE WHEN $6::bigint IS NULL THEN state ELSE 'finished' END, ended_at = $6
   WHERE id = $1 RETURNING ${REPLAY_COLUMNS}`,
);

interface Counted {
  readonly count: number;
}

type Examined = Position & {
  readonly place: number;
  readonly chosen: boolean;
  readonly last: boolean;
  readonly isTelling: boolean;
};

/** How many deliveries wait for a destination, counted up to a limit. */
export async function countWaiting(queries: Queries, destination: number, limit: number): Promise<number> {
  const [waiting] = await queries.run<Counted>(WAITING, [destination, limit]);
  return waiting?.count ?? 0;
}

export function stepReplay({ database, time }: JobParts): JobStorage['stepReplay'] {
  return async (request) => {
    const moment = [time.toDatabase(request.at.steady), request.at.wall] as const;
    const step = (isHeld: boolean): Promise<ReplayProgress | typeof TELLINGS | undefined> =>
      database.transaction(async (queries) => {
        if (isHeld) await holdTellings(queries);
        return carryOut(queries, request, { moment, isHeld });
      });
    const progress = await step(false);
    if (progress !== TELLINGS) return progress;
    // Erasures hold them before the job as well, so that nobody waits in a circle.
    const again = await step(true);
    return again === TELLINGS ? undefined : again;
  };
}

/** Nothing was done, as there are tellings among what was chosen, and they are not held. */
const TELLINGS = Symbol('tellings');

async function carryOut(
  queries: Queries,
  { replay, at, limit, waitingLimit }: ReplayStep,
  { moment, isHeld }: { readonly moment: readonly [steady: number, wall: number]; readonly isHeld: boolean },
): Promise<ReplayProgress | typeof TELLINGS | undefined> {
  const [job] = await queries.run<ReplayRow & { readonly number: number }>(LOCK, [replay]);
  if (job === undefined) return undefined;
  const { number, ...row } = job;
  const room = waitingLimit - (row.dryRun ? 0 : await countWaiting(queries, number, waitingLimit));
  if (room <= 0) return { replay: replayOf(row), replayed: 0, held: true };
  const most = row.dryRun ? MAX_EXAMINED : Math.min(limit, room);
  const found = await queries.run<Examined>(EXAMINE, [...bounds(job), most + 1]);
  const { chosen, end, isOver } = upTo(found, most);
  const tellings = chosen.filter(({ isTelling: isOne }) => isOne).map(({ delivery }) => delivery);
  if (tellings.length > 0 && !isHeld) return TELLINGS;
  const still = tellings.length > 0 ? await stillTold(queries, tellings) : undefined;
  const sent = chosen.filter(({ isTelling: isOne, delivery }) => !isOne || still?.get(delivery) === true);
  // In one order by everybody, so that nobody waits in a circle.
  const ids = sent.map(({ delivery }) => delivery).toSorted((a, b) => a - b);
  const [revived] = row.dryRun ? [{ count: ids.length }] : await queries.run<Counted>(REVIVE, [...moment, ids]);
  const count = revived?.count ?? 0;
  const place = end ?? { receivedAt: row.atReceived, delivery: row.atId, place: 0 };
  const progress = [place.place, count, place.receivedAt, place.delivery, isOver ? at.wall : null];
  const [moved = row] = await queries.run<ReplayRow>(ADVANCE, [replay, ...progress]);
  return { replay: replayOf(moved), replayed: row.dryRun ? 0 : count, held: false };
}

function bounds(row: ReplayRow & { readonly number: number }): readonly unknown[] {
  const filter = filterOf(row);
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  const after = row.atReceived >= from ? [row.atReceived, row.atId] : [from, 0];
  return [...valuesOf(filter), row.id, row.number, ...after, to];
}

/** The first of the chosen rows, and how far they go: up to the last of them, or of all that was looked at. */
function upTo(
  found: readonly Examined[],
  most: number,
): { chosen: readonly Examined[]; end: Examined | undefined; isOver: boolean } {
  const chosen = found.filter((row) => row.chosen);
  if (chosen.length > most) return { chosen: chosen.slice(0, most), end: chosen[most - 1], isOver: false };
  const end = found.at(-1);
  return { chosen, end, isOver: end === undefined || end.place < MAX_EXAMINED };
}
