import type { LogFilter } from '../../../model/logged-delivery.ts';
import type { Replay, ReplayState } from '../../../model/replay.ts';
import { workspaceOf } from '../../../model/resource-names.ts';
import { type JobStorage, REMOVED_AT_ONCE, type ReplayOf } from '../../job-storage.ts';
import { reads, writes } from '../connection/statement.ts';
import { numberOf } from '../log/columns.ts';
import type { JobParts } from './job-operations.ts';

/** A bulk replay as it is stored. It has dealt with everything up to `atReceived` and `atId`. */
export interface ReplayRow {
  readonly id: number;
  readonly destination: string;
  readonly state: ReplayState;
  readonly filter: string;
  readonly dryRun: boolean;
  readonly perSecond: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly examined: number;
  readonly matched: number;
  readonly atReceived: number;
  readonly atId: number;
}

/** Of a row `j`. */
export const REPLAY_COLUMNS = `
  j.id, (SELECT name FROM names WHERE id = j.destination) AS destination, j.state, j.filter, j.dry_run AS "dryRun",
  j.per_second AS "perSecond", j.created_at AS "createdAt", j.ended_at AS "endedAt", j.examined, j.matched,
  j.at_received AS "atReceived", j.at_id AS "atId"`;

const CREATE = writes(
  'create_replay',
  `INSERT INTO replay_jobs AS j (destination, state, filter, dry_run, per_second, created_at, examined, matched,
     at_received, at_id)
   SELECT $1::integer, 'running', $2, $3::boolean, $4::integer, $5::bigint, 0, 0, 0, 0
   WHERE (SELECT count(*) FROM replay_jobs r JOIN names n ON n.id = r.destination
     WHERE r.state = 'running' AND starts_with(n.name, $6)) < $7 RETURNING ${REPLAY_COLUMNS}`,
);
/** In the order of an index, whatever statistics say. */
const ENDED = "FROM replay_jobs WHERE destination >= $1::integer AND destination <= $1 AND state <> 'running'";
const REMOVE_BEYOND = writes(
  'remove_ended_replays',
  `DELETE FROM replay_jobs WHERE id = ANY (ARRAY(SELECT id ${ENDED}
     AND id <= (SELECT id ${ENDED} ORDER BY destination DESC, id DESC LIMIT 1 OFFSET $2)
     ORDER BY destination, id LIMIT ${REMOVED_AT_ONCE}))`,
);
/** It may be asked for with more digits than the column has. */
const THIS = `j.id = $1::bigint AND j.destination = ${numberOf('$2')}`;
const GET = reads('get_replay', `SELECT ${REPLAY_COLUMNS} FROM replay_jobs j WHERE ${THIS}`);
const LIST = reads(
  'list_replays',
  `SELECT ${REPLAY_COLUMNS} FROM replay_jobs j WHERE (j.destination, j.id) > (${numberOf('$1')}, $2::bigint)
     AND j.destination <= ${numberOf('$1')} ORDER BY j.destination, j.id LIMIT $3`,
);
const CANCEL = writes(
  'cancel_replay',
  `UPDATE replay_jobs j SET state = 'cancelled', ended_at = $3 WHERE ${THIS} AND j.state = 'running'`,
);
const RUNNING = reads(
  'running_replays',
  `SELECT ${REPLAY_COLUMNS} FROM replay_jobs j WHERE j.state = 'running' ORDER BY j.id`,
);

type ReplayVerbs = Pick<JobStorage, 'createReplay' | 'getReplay' | 'listReplays' | 'cancelReplay' | 'runningReplays'>;

export function replayVerbs({ database, names }: JobParts): ReplayVerbs {
  const get = async ({ destination, id }: ReplayOf): Promise<Replay | undefined> => {
    const [row] = await database.run<ReplayRow>(GET, [id, destination]);
    return row === undefined ? undefined : replayOf(row);
  };
  return {
    async createReplay({ destination, filter, dryRun, perSecond, createdAt, mostRunning, mostKept }) {
      await names.add([destination]);
      await database.run(REMOVE_BEYOND, [names.idOf(destination), mostKept]);
      const values = [names.idOf(destination), JSON.stringify(filter), dryRun, perSecond, createdAt];
      const [row] = await database.run<ReplayRow>(CREATE, [...values, `${workspaceOf(destination)}/`, mostRunning]);
      return row === undefined ? undefined : replayOf(row);
    },
    getReplay: get,
    listReplays: async ({ destination, after, limit }) =>
      (await database.run<ReplayRow>(LIST, [destination, after, limit])).map(replayOf),
    async cancelReplay({ destination, id, now }) {
      await database.run(CANCEL, [id, destination, now]);
      return get({ destination, id });
    },
    runningReplays: async () => (await database.run<ReplayRow>(RUNNING)).map(replayOf),
  };
}

export function filterOf({ filter }: Pick<ReplayRow, 'filter'>): LogFilter {
  // It was written by this store as JSON of this type.
  return JSON.parse(filter);
}

export function replayOf({ atReceived: _received, atId: _id, endedAt, ...row }: ReplayRow): Replay {
  return { ...row, filter: filterOf(row), ...(endedAt === null ? {} : { endedAt }) };
}
