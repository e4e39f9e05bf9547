import { type JobStorage, MAX_REPLAYS, type ReplayAnswer } from '../../job-storage.ts';
import type { Transactions } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { numberIn, numberOf, TABLES, whoseIdsAre } from '../log/columns.ts';
import type { JobParts } from './job-operations.ts';
import { holdTellings, isTelling, stillTold } from './still-told.ts';

/**
 * Moves deliveries that have ended to what waits, with a fresh window and all their webhooks. `which` chooses them;
 * parameters: $1 the steady moment by the database's clock, $2 by the wall.
 */
function revive(which: string): string {
  return `
    gone AS (DELETE FROM log t ${which} RETURNING t.*),
    revived AS (
      INSERT INTO queue (id, message, destination, round, tries, earlier_rounds, closed, received_at, window_from, due_at,
        set_at, bytes, type, event, user_id, line)
      SELECT id, message, destination, round, 0, round, '[]', received_at, $1, $1, $1, bytes, type, event, user_id, line
      FROM gone RETURNING id),
    noted AS (
      INSERT INTO replays (delivery, earlier_rounds, at) SELECT id, round, $2 FROM gone ON CONFLICT DO NOTHING)`;
}

/** Deliveries by their ids; takes those of `revive` before them. */
export const REVIVE = writes('revive', `WITH ${revive(whoseIdsAre('$3'))} SELECT count(*) AS count FROM revived`);

/** Holds of a delivery that was replayed as often as it may be. */
export function isTooOften(delivery: string): string {
  return `(SELECT true FROM replays r WHERE r.delivery = ${delivery} ORDER BY r.delivery, at LIMIT 1 OFFSET ${MAX_REPLAYS - 1}) IS TRUE`;
}

const THIS = `id = $3 AND destination = ${numberOf('$4')}`;
const [TOO_OFTEN, TELLING] = [isTooOften('id'), isTelling('type', 'message')];
/** Tellings apart, which have to be held first. */
const REPLAY = writes(
  'replay',
  `WITH ${revive(`WHERE ${THIS} AND NOT ${TOO_OFTEN} AND NOT ${TELLING}`)} SELECT (SELECT count(*) FROM revived) AS revived,
    ${TABLES.map((table) => `EXISTS (SELECT FROM ${table} WHERE ${THIS}) AS ${table}`).join(', ')},
    EXISTS (SELECT FROM log WHERE ${THIS} AND ${TOO_OFTEN}) AS "tooOften",
    EXISTS (SELECT FROM log WHERE ${THIS} AND ${TELLING}) AS telling`,
);

interface Found {
  readonly revived: number;
  readonly queue: boolean;
  readonly tries: boolean;
  readonly log: boolean;
  readonly tooOften: boolean;
  readonly telling: boolean;
}

export function replay({ database, time }: JobParts): JobStorage['replay'] {
  return async ({ destination, delivery, at }) => {
    const id = numberIn(delivery);
    if (id === undefined) return 'missing';
    const moment = [time.toDatabase(at.steady), at.wall] as const;
    let answer: ReplayAnswer | undefined;
    while (answer === undefined) {
      const [found] = await database.run<Found>(REPLAY, [...moment, id, destination]);
      const isTold = found?.telling === true && !found.tooOften;
      answer = isTold ? await replayTelling(database, id, moment) : answerOf(found);
    }
    return answer;
  };
}

/** Undefined when somebody else moved it while this was looking. */
function replayTelling(
  database: Transactions,
  id: number,
  moment: readonly [steady: number, wall: number],
): Promise<ReplayAnswer | undefined> {
  return database.transaction(async (queries) => {
    await holdTellings(queries);
    const isStill = (await stillTold(queries, [id])).get(id);
    if (isStill !== true) return isStill === false ? 'superseded' : undefined;
    const [revived] = await queries.run<{ readonly count: number }>(REVIVE, [...moment, [id]]);
    return revived?.count === 1 ? 'replayed' : undefined;
  });
}

/** As above. */
function answerOf(found: Found | undefined): ReplayAnswer | undefined {
  if (found === undefined) return undefined;
  if (found.revived > 0) return 'replayed';
  if (found.tooOften) return 'too often';
  if (found.queue || found.tries) return 'not ended';
  return found.log ? undefined : 'missing';
}
