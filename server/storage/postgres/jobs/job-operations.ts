import type { JobStorage } from '../../job-storage.ts';
import type { Database } from '../connection/database.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import { eraseUsers } from './erase-users.ts';
import { leaseJob } from './lease-job.ts';
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
