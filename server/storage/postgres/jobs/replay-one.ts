import type { JobStorage, ReplayAnswer } from '../../job-storage.ts';
import { writes } from '../connection/statement.ts';
import { numberIn, numberOf, TABLES } from '../log/columns.ts';
import type { JobParts } from './job-operations.ts';

/**
 * Moves deliveries that have ended to what waits, with a fresh window and all their webhooks. `which` chooses them;
 * parameters: $1 the steady moment by the database's clock, $2 by the wall.
 */
export function revive(which: string): string {
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

const THIS = `id = $3 AND destination = ${numberOf('$4')}`;
const REPLAY = writes(
  'replay',
  `WITH ${revive(`WHERE ${THIS}`)} SELECT (SELECT count(*) FROM revived) AS revived,
    ${TABLES.map((table) => `EXISTS (SELECT FROM ${table} WHERE ${THIS}) AS ${table}`).join(', ')}`,
);

interface Found {
  readonly revived: number;
  readonly queue: boolean;
  readonly tries: boolean;
  readonly log: boolean;
}

export function replay({ database, time }: JobParts): JobStorage['replay'] {
  return async ({ destination, delivery, at }) => {
    const id = numberIn(delivery);
    if (id === undefined) return 'missing';
    const values = [time.toDatabase(at.steady), at.wall, id, destination];
    let answer: ReplayAnswer | undefined;
    while (answer === undefined) answer = answerOf(await database.run<Found>(REPLAY, values));
    return answer;
  };
}

/** Undefined when somebody else moved it while this was looking. */
function answerOf([found]: readonly Found[]): ReplayAnswer | undefined {
  if (found === undefined) return undefined;
  if (found.revived > 0) return 'replayed';
  if (found.queue || found.tries) return 'not ended';
  return found.log ? undefined : 'missing';
}
