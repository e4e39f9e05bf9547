import { ApiError } from '../../http/errors.ts';
import type { Resources, Surroundings } from '../../storage/config-store.ts';
import { isBound, seesWorkspace } from '../caller.ts';
import { asIs, matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { workspaceName } from '../resource-name.ts';
import { found, requireCreated } from '../store-answers.ts';
import { readMask } from '../update-mask.ts';
import { requireVisible } from '../visible.ts';
import { changeWorkspace, EMPTIES, makeWorkspace } from './resource.ts';

type Workspace = Resources['workspaces'];

type WorkspaceHandlers = Pick<
  ConfigHandlers,
  'listWorkspaces' | 'createWorkspace' | 'getWorkspace' | 'updateWorkspace' | 'deleteWorkspace'
>;

/** CFG-22: workspaces come ten at a time, everything else by the hundred. */
const PAGE_SIZE = 10;

export function workspaceHandlers({ store, clock }: Env): WorkspaceHandlers {
  return {
    async listWorkspaces({ query, caller }) {
      const isVisible = ({ name }: { name: string }): boolean => seesWorkspace(caller, name);
      const request = { kind: 'workspaces', parent: '', query, defaultSize: PAGE_SIZE, isVisible } as const;
      const { items, next_page_token } = await listPage(store, request);
      return { workspaces: items, next_page_token };
    },

    async createWorkspace({ body, caller }) {
      const workspace = makeWorkspace(body, clock.now());
      if (isBound(caller)) {
        throw new ApiError('PermissionDenied', 'insufficient scope: this token is bound to the workspaces it names');
      }
      requireCreated(await store.create('workspaces', workspace), 'workspaces', workspace.name);
      return workspace;
    },

    async getWorkspace({ path, caller }) {
      const name = requireVisible(caller, workspaceName(path));
      return found(await store.get('workspaces', name), name);
    },

    async updateWorkspace({ path, header, body, caller }) {
      const paths = readMask({
        key: 'workspace',
        masks: [body.update_mask, body.workspace?.update_mask],
        empties: EMPTIES,
      });
      const name = requireVisible(caller, workspaceName(path));
      const change = matching(header, (current: Workspace) => changeWorkspace(current, body, paths));
      return found(await store.update('workspaces', name, change), name);
    },

    async deleteWorkspace({ path, header, query, caller }) {
      const name = requireVisible(caller, workspaceName(path));
      const check = matching(header, query.force === true ? asIs : refuseWithSources);
      found((await store.remove('workspaces', name, check)) || undefined, name);
      return {};
    },
  };
}

function refuseWithSources({ name }: Workspace, around: Surroundings<Workspace>): void {
  if (!around.has('sources')) return;
  throw new ApiError('InvalidArgument', `${name} still has sources: remove them first, or ask with ?force=true`);
}
