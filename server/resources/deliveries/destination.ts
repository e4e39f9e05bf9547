import { ApiError } from '../../http/errors.ts';
import type { Resources } from '../../storage/config-store.ts';
import type { Caller } from '../caller.ts';
import type { Deliveries, Env } from '../env.ts';
import { found } from '../store-answers.ts';
import { requireVisible } from '../visible.ts';

/** The log and the replays; a router without them does not implement what needs them (CFG-19). */
export function deliveriesOf({ deliveries }: Env): Deliveries {
  if (deliveries === undefined) throw new ApiError('Unimplemented', 'this router keeps no log of deliveries');
  return deliveries;
}

export async function requireDestination(env: Env, caller: Caller, name: string): Promise<Resources['destinations']> {
  return found(await env.store.get('destinations', requireVisible(caller, name)), name);
}

/** What is sent to a disabled destination is cancelled at its next turn (D-30): replaying it would do nothing. */
export function requireEnabled({ name, enabled }: Resources['destinations']): void {
  if (enabled) return;
  throw new ApiError('InvalidArgument', `${name} is disabled, so nothing would be sent: enable it first`);
}
