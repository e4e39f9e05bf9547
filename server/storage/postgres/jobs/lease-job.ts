import type { JobStorage } from '../../job-storage.ts';
import { writes } from '../connection/statement.ts';
import type { JobParts } from './job-operations.ts';

/** By the clock of the database alone: those of routers differ. A node has it in its next life too. */
const LEASE = writes(
  'lease_job',
  `INSERT INTO leases (job, node, until) VALUES ($1, $2, now_ms() + $3)
   ON CONFLICT (job) DO UPDATE SET node = excluded.node, until = excluded.until
   WHERE leases.node = excluded.node OR leases.until <= now_ms() RETURNING job`,
);

export function leaseJob({ database, node }: JobParts): JobStorage['leaseJob'] {
  return async ({ job, forMs }) => (await database.run(LEASE, [job, node, forMs])).length > 0;
}
