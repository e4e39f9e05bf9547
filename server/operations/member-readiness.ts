import type { Membership } from '../delivery/membership.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Storage } from '../storage/storage.ts';
import { createReadiness, type Findings } from './readiness.ts';

/** Whether what requests bring can be stored: each part can write, and this router is a member. */
export function readinessOf(
  { checks }: Pick<Storage, 'checks'>,
  membership: Pick<Membership, 'fault'>,
  ports: { readonly clock: Clock; readonly log: Log },
): () => Promise<Findings> {
  const storable = createReadiness(checks, ports);
  return async () => {
    const { fault } = membership;
    return { ...(await storable()), ...(fault === undefined ? {} : { membership: fault }) };
  };
}
