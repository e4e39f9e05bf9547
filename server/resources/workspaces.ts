import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import { slugOf, type Workspace } from '../model/resources.ts';
import type { Surroundings } from '../storage/config-store.ts';
import { isBound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { methodsOf } from './kit.ts';
import { readNewName } from './names.ts';
import { NewNames } from './new-names.ts';

type NewWorkspace = components['schemas']['CreateWorkspace']['workspace'];

export function workspaceHandlers({ store, clock, newNames }: Env) {
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

function refuseWithSources({ name }: Workspace, around: Surroundings<Workspace>, isForced: boolean): void {
  if (isForced || !around.has('sources')) return;
  throw new ApiError('InvalidArgument', `${name} still has sources: remove them first, or use ?force=true`);
}
