import type { DatabaseSync } from 'node:sqlite';
import type { LogFilter } from '../../../model/logged-delivery.ts';
import type { Replay, ReplayState } from '../../../model/replay.ts';
import { workspaceOf } from '../../../model/resource-names.ts';
import { type JobStorage, REMOVED_AT_ONCE, type ReplayOf } from '../../job-storage.ts';
import type { Operations } from '../../verbs.ts';
import type { Names } from './names.ts';
import { query, type Query } from './query.ts';
import { createReplayOne, type JobRow, replayStep, tooOften } from './replay-step.ts';
import { superseded } from './still-told.ts';

type ReplayOperations = Omit<Pick<Operations, keyof JobStorage>, 'leaseJob' | 'purge' | 'eraseUsers'>;

const JOB = `
  SELECT j.id, n.name AS destination, j.state, j.filter, j.dry_run AS dryRun, j.per_second AS perSecond,
    j.created_at AS createdAt, j.ended_at AS endedAt, j.examined, j.matched,
    j.at_received AS atReceived, j.at_id AS atId, j.last_id AS lastId
  FROM replay_jobs j JOIN names n ON n.id = j.destination`;

export function replayOperations(database: DatabaseSync, names: Names): ReplayOperations {
  const job = query<JobRow>(database, `${JOB} WHERE j.id = ?`);
  const replayOne = createReplayOne(database);
  const find = ({ destination, id }: ReplayOf): JobRow | undefined => {
    const row = job.get(id);
    return row?.destination === destination ? row : undefined;
  };
  const found = query<{ readonly type: string; readonly state: string }>(
    database,
    'SELECT type, state FROM deliveries WHERE id = ? AND destination = ?',
  );
  const [isTooOften, isSuperseded] = [tooOften(database), superseded(database)];
  return {
    replay({ destination, delivery, at }) {
      const id = Number(delivery);
      const row = found.get(id, names.find(destination));
      if (row === undefined) return 'missing';
      const isEnded = row.state !== 'pending' && row.state !== 'trying';
      if (isEnded && isTooOften(id)) return 'too often';
      if (isEnded && row.type === 'identify' && isSuperseded(id)) return 'superseded';
      return replayOne(id, at) ? 'replayed' : 'not ended';
    },
    createReplay: create(database, names, job),
    getReplay: (item) => answered(find(item)),
    listReplays: list(database, names),
    cancelReplay: cancel(database, find),
    stepReplay: replayStep({ database, names, job, replayOne, replayOf }),
    runningReplays: allRunning(database),
  };
}

function create(database: DatabaseSync, names: Names, job: Query<JobRow>): ReplayOperations['createReplay'] {
  const insert = database.prepare(`
    INSERT INTO replay_jobs (destination, state, filter, dry_run, per_second, created_at, examined, matched,
      at_received, at_id, last_id)
    VALUES (?, 'running', ?, ?, ?, ?, 0, 0, 0, 0, (SELECT coalesce(max(id), 0) FROM deliveries))`);
  const running = query<{ readonly count: number }>(
    database,
    `SELECT count(*) AS count FROM replay_jobs j JOIN names n ON n.id = j.destination
     WHERE j.state = 'running' AND substr(n.name, 1, length(?1)) = ?1`,
  );
  const removeBeyond = database.prepare(`
    DELETE FROM replay_jobs WHERE id IN (SELECT id FROM replay_jobs WHERE destination = ?1 AND state <> 'running' AND id <=
      (SELECT id FROM replay_jobs WHERE destination = ?1 AND state <> 'running' ORDER BY id DESC LIMIT 1 OFFSET ?2)
      ORDER BY id LIMIT ${REMOVED_AT_ONCE})`);
  return ({ destination, filter, dryRun, perSecond, createdAt, mostRunning, mostKept }) => {
    if ((running.get(`${workspaceOf(destination)}/`)?.count ?? 0) >= mostRunning) return undefined;
    removeBeyond.run(names.idOf(destination), mostKept);
    const values = [names.idOf(destination), JSON.stringify(filter), dryRun ? 1 : 0, perSecond, createdAt] as const;
    const row = job.get(insert.run(...values).lastInsertRowid);
    if (row === undefined) throw new Error('a replay that was just stored cannot be found');
    return replayOf(row);
  };
}

function list(database: DatabaseSync, names: Names): ReplayOperations['listReplays'] {
  const page = query<JobRow>(database, `${JOB} WHERE j.destination = ? AND j.id > ? ORDER BY j.id LIMIT ?`);
  return ({ destination, after, limit }) => page.all(names.find(destination), after, limit).map(replayOf);
}

function cancel(
  database: DatabaseSync,
  find: (item: ReplayOf) => JobRow | undefined,
): ReplayOperations['cancelReplay'] {
  const end = database.prepare(
    "UPDATE replay_jobs SET state = 'cancelled', ended_at = ? WHERE id = ? AND state = 'running'",
  );
  return ({ now, ...item }) => {
    if (find(item) !== undefined) end.run(now, item.id);
    return answered(find(item));
  };
}

function allRunning(database: DatabaseSync): ReplayOperations['runningReplays'] {
  const jobs = query<JobRow>(database, `${JOB} WHERE j.state = 'running' ORDER BY j.id`);
  return () => jobs.all().map(replayOf);
}

function answered(row: JobRow | undefined): Replay | undefined {
  return row === undefined ? undefined : replayOf(row);
}

function replayOf({ atReceived: _received, atId: _id, lastId: _last, endedAt, ...row }: JobRow): Replay {
  // It was written by this store as JSON of this type.
  const filter: LogFilter = JSON.parse(row.filter);
  const state: ReplayState = row.state;
  return { ...row, state, filter, dryRun: row.dryRun === 1, ...(endedAt === null ? {} : { endedAt }) };
}
