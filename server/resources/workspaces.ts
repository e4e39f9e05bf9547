import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import { slugOf } from '../model/resource-names.ts';
import type { Workspace } from '../model/resources.ts';
import { type Moment, momentOf } from '../ports/clock.ts';
import type { Home, Surroundings } from '../storage/config-store.ts';
import { freeAt, isNameFree, type Keeping, removedName } from '../storage/resources/removed-workspaces.ts';
import { isBound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { methodsOf, seconds } from './kit.ts';
import { readNewName } from './names.ts';
import { NewNames } from './new-names.ts';

type NewWorkspace = components['schemas']['CreateWorkspace']['workspace'];

export function workspaceHandlers({ store, clock, newNames, retentionMs }: Env) {
  const keeping: Keeping = { retentionMs, startedAt: clock.steady() };
  const { list, create, get, update, remove } = methodsOf(store, {
    kind: 'workspaces',
    key: 'workspace',
    plural: 'workspaces',
    pageSize: 10,
    empties: { display_name: '' },
    make(wanted: NewWorkspace, _parent, caller) {
      const workspace = makeWorkspace(wanted, clock.now(), newNames);
      if (!isBound(caller)) return workspace;
      throw new ApiError('PermissionDenied', 'insufficient scope: this token is bound to the workspaces it names');
    },
    fit: (workspace, root) => requireFreeName(workspace, root, momentOf(clock), keeping),
    show: shownOnce(shownWorkspace),
    refuseRemoval: refuseWithSources,
  });
  return {
    listWorkspaces: list,
    createWorkspace: create,
    getWorkspace: get,
    updateWorkspace: update,
    deleteWorkspace: remove,
  } satisfies Partial<ConfigHandlers>;
}

export function makeWorkspace(wanted: NewWorkspace, now: number, names = new NewNames()): Workspace {
  const name = readNewName({ given: wanted.name, within: 'workspaces/', field: 'workspace.name' });
  const create_time = new Date(now).toISOString();
  return { name, display_name: wanted.display_name ?? slugOf(name), id: names.id(), create_time };
}

/** Its quota is answered elsewhere. */
function shownWorkspace({ quota: _quota, ...shown }: Workspace): components['schemas']['Workspace'] {
  return shown;
}

/** What was stored under a name would be seen by who gets it next, and what waits would go to their webhooks. */
function requireFreeName(workspace: Workspace, root: Home, now: Moment, keeping: Keeping): Workspace {
  const removed = root.get('removed-workspaces', removedName(workspace.name));
  if (removed === undefined || isNameFree(removed, now, keeping)) return workspace;
  const free = freeAt(removed, keeping);
  const when = Number.isNaN(free)
    ? 'was removed'
    : `was removed at ${seconds(Date.parse(removed.create_time))}, and its name is free again at ${seconds(free)}`;
  const why = 'what is stored of its events would be seen by the new one';
  throw new ApiError('AlreadyExists', `${workspace.name} ${when}: ${why}; choose another name`);
}

function refuseWithSources({ name }: Workspace, around: Surroundings<Workspace>, isForced: boolean): void {
  if (isForced || !around.has('sources')) return;
  throw new ApiError('InvalidArgument', `${name} still has sources: remove them first, or use ?force=true`);
}
