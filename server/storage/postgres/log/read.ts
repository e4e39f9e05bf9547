import type { LoggedReplay } from '../../../model/logged-delivery.ts';
import { type DeliveryLog, MAX_TOLD } from '../../delivery-log.ts';
import { attemptOf, type AttemptRow, type DeliveryRow } from '../../logged-rows.ts';
import { reads } from '../connection/statement.ts';
import { LOGGED, loggedOf, numberIn, numberOf, rowsOf, TABLES } from './columns.ts';
import type { LogParts } from './log-operations.ts';

const THIS = `id = $1 AND destination = ${numberOf('$2')}`;

/** One statement, so that what is told of the delivery and its attempts is of one moment. */
const READ = reads(
  'read',
  `SELECT ${LOGGED},
    (SELECT coalesce(json_agg(json_build_object('round', round, 'webhook', webhook, 'number', number,
        'startedAt', started_at, 'durationMs', duration_ms, 'outcome', outcome, 'status', status, 'excerpt', excerpt,
        'rule', rule, 'nextDueAt', next_due_at, 'connectMs', connect_ms, 'sendMs', send_ms, 'waitMs', wait_ms,
        'readMs', read_ms) ORDER BY round, started_at + duration_ms, number), '[]')
      FROM (SELECT * FROM attempts WHERE delivery = d.id ORDER BY delivery DESC, round DESC, number DESC LIMIT ${MAX_TOLD}) told) AS attempts,
    (SELECT coalesce(json_agg(json_build_object('at', at, 'earlierRounds', earlier_rounds) ORDER BY at, earlier_rounds), '[]')
      FROM (SELECT * FROM replays WHERE delivery = d.id ORDER BY delivery DESC, at DESC, earlier_rounds DESC LIMIT ${MAX_TOLD}) told) AS replayed
  FROM (${TABLES.map((table) => `${rowsOf(table)} WHERE ${THIS}`).join(' UNION ALL ')}) d`,
);

type StoryRow = DeliveryRow & { readonly attempts: readonly AttemptRow[]; readonly replayed: readonly LoggedReplay[] };

export function read({ database, time }: LogParts): DeliveryLog['read'] {
  return async ({ destination, delivery }) => {
    const id = numberIn(delivery);
    if (id === undefined) return undefined;
    const [row] = await database.run<StoryRow>(READ, [id, destination]);
    if (row === undefined) return undefined;
    const { attempts, replayed, ...rest } = row;
    return { ...loggedOf(rest, time), attempts: attempts.map(attemptOf), replayed };
  };
}
