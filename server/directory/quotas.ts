import type { Quota } from '../model/resources.ts';
import type { Change } from '../storage/config-store.ts';

/** The quotas of workspaces, as a change leaves them. One without a limit is none. */
export function noteQuota(quotas: Map<string, Quota>, { kind, name, row }: Change): void {
  const quota = kind === 'workspaces' ? row?.resource.quota : undefined;
  if (quota !== undefined && quota.events_per_second + quota.events_per_day > 0) quotas.set(name, quota);
  else if (kind === 'workspaces') quotas.delete(name);
}
