import type { Database } from '../../storage/postgres/connection/database.ts';
import { writes } from '../../storage/postgres/connection/statement.ts';
import { firstIdOf } from '../../storage/postgres/deliveries/ids.ts';
import { today } from '../../storage/postgres/jobs/days.ts';

export const DESTINATION = 'workspaces/main/sources/js/destinations/webhooks';
const SOURCE = 'workspaces/main/sources/js';

/** Deliveries of one state, each of a message of its own. */
export interface StoredRows {
  readonly table: 'queue' | 'tries' | 'log';
  readonly count: number;
  /** The number, within its day, of the first message; its delivery has the next. */
  readonly from: number;
  /** Default: today, by the clock of the database. */
  readonly day?: number;
  readonly destination?: string;
  readonly userId?: string;
  readonly state?: string;
  readonly receivedAt?: number;
  readonly endedAt?: number;
  /** Number of the newest bulk replay when they were accepted. */
  readonly replay?: number;
}

const ADD_NAMES = writes('test_names', 'INSERT INTO names (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING');
const ADD_MESSAGES = writes(
  'test_messages',
  `INSERT INTO messages (id, source, received_at, event, replay)
   SELECT $1::bigint + 2 * n, (SELECT id FROM names WHERE name = $3), $4,
     json_build_object('type', 'track', 'messageId', 'm' || n, 'userId', $5::text)::text, $6
   FROM generate_series(0, $2::int - 1) n`,
);
const CARRIED = 'id, message, destination, round, earlier_rounds, received_at, bytes, type, event, user_id';
const VALUES = `$1::bigint + 2 * n + 1, $1::bigint + 2 * n, (SELECT id FROM names WHERE name = $3), 1, 0, $4::bigint, 100,
  'track', 'Bought', $5::text FROM generate_series(0, $2::int - 1) n`;
const ADD = {
  queue: `INSERT INTO queue (tries, closed, window_from, due_at, set_at, ${CARRIED}) SELECT 1, '[]', $4, $4, $4, ${VALUES}`,
  tries: `INSERT INTO tries (tries, closed, window_from, set_at, node, epoch, ${CARRIED}) SELECT 1, '[]', $4, $4, 1, 1, ${VALUES}`,
  log: `INSERT INTO log (state, ended_at, ${CARRIED}) SELECT $6, $7::bigint, ${VALUES}`,
};

/** Puts rows into the tables, without the verbs that would. Answers the id of the first delivery. */
export async function storeRows(database: Database, rows: StoredRows): Promise<number> {
  const { table, count, from, destination = DESTINATION, userId = 'ada', receivedAt = 1_000, replay = 0 } = rows;
  const id = firstIdOf(rows.day ?? (await today(database))) + from;
  await database.run(ADD_NAMES, [[destination, SOURCE]]);
  await database.run(ADD_MESSAGES, [id, count, SOURCE, receivedAt, userId, replay]);
  const more = table === 'log' ? [rows.state ?? 'failed', rows.endedAt ?? receivedAt] : [];
  await database.run(writes(`test_${table}`, ADD[table]), [id, count, destination, receivedAt, userId, ...more]);
  return id + 1;
}
