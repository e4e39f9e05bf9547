import type { JobStorage } from '../../job-storage.ts';
import type { Database } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import { eraseUsers } from './erase-users.ts';
import { purge } from './purge.ts';
import { replay } from './replay-one.ts';
import { replayVerbs } from './replay-jobs.ts';
import { stepReplay } from './replay-step.ts';

export interface JobParts {
  readonly database: Database;
  readonly names: Pick<Names, 'add' | 'idOf'>;
  readonly time: Pick<DatabaseTime, 'toDatabase'>;
  /** Name of the node, which it keeps over its lives. */
  readonly node: string;
}

/** By the clock of the database alone: those of routers differ. A node has it in its next life too. */
const LEASE = writes(
  'lease_job',
  `INSERT INTO leases (job, node, until) VALUES ($1, $2, now_ms() + $3)
   ON CONFLICT (job) DO UPDATE SET node = excluded.node, until = excluded.until
   WHERE leases.node = excluded.node OR leases.until <= now_ms() RETURNING job`,
);

/** Of jobs that are over nothing is left: a tenant makes any number of bulk replays, each of which is one. */
const GIVE_BACK = writes('give_back_lease', 'DELETE FROM leases WHERE job = $1 AND node = $2 RETURNING job');

export function jobOperations(parts: JobParts): JobStorage {
  return {
    leaseJob: leaseJob(parts),
    replay: replay(parts),
    ...replayVerbs(parts),
    stepReplay: stepReplay(parts),
    purge: purge(parts),
    eraseUsers: eraseUsers(parts),
  };
}

function leaseJob({ database, node }: JobParts): JobStorage['leaseJob'] {
  return async ({ job, forMs }) => {
    const rows = forMs === 0 ? database.run(GIVE_BACK, [job, node]) : database.run(LEASE, [job, node, forMs]);
    return (await rows).length > 0;
  };
}
