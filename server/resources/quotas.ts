import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import type { Quota, Workspace } from '../model/resources.ts';
import { isBound } from './callers.ts';
import { requireMatch } from './entity-tag.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { found, requireVisible } from './kit.ts';
import { nameOf } from './names.ts';
import { applyMask, readMask } from './update-mask.ts';

type Shown = components['schemas']['Quota'];

const NO_LIMIT = { events_per_second: 0, events_per_day: 0 } as const satisfies Quota;

/** The quota of a workspace lives and goes with it. */
export function quotaHandlers({ store, quotas }: Env) {
  const show = async (workspace: Workspace): Promise<Shown> => {
    const { events, refused, endsAt } = await quotas.used(workspace.name);
    const reset_time = new Date(endsAt).toISOString();
    return { ...limitsOf(workspace), events_today: events, refused_requests_today: refused, reset_time };
  };
  return {
    async getQuota({ path, caller }) {
      const name = requireVisible(caller, nameOf('workspaces', path));
      return show(found(await store.get('workspaces', name), name));
    },

    async updateQuota({ path, header, body: { quota: values = {}, update_mask: mask }, caller }) {
      const paths = readMask({ key: 'quota', masks: [mask, values.update_mask], empties: NO_LIMIT });
      const name = requireVisible(caller, nameOf('workspaces', path));
      if (isBound(caller)) throw new ApiError('PermissionDenied', BOUND);
      const changed = await store.update('workspaces', name, (workspace) => {
        requireMatch(header, workspace, limitsOf);
        if (paths.length === 0) return workspace;
        return { ...workspace, quota: applyMask(workspace.quota ?? NO_LIMIT, { values, paths, empties: NO_LIMIT }) };
      });
      return show(found(changed, name));
    },
  } satisfies Partial<ConfigHandlers>;
}

/** Else a tenant could lift its own. */
const BOUND = 'insufficient scope: quotas are set by tokens that are not bound to workspaces';

function limitsOf({ name, quota = NO_LIMIT }: Workspace) {
  return { name: `${name}/quota`, parent: name, ...quota };
}
