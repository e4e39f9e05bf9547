import type { Caller } from '../caller.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { sourceName, workspaceName } from '../resource-name.ts';
import {
  type Asked,
  cancelRegulation,
  cancelRegulations,
  createRegulation,
  getRegulation,
  listRegulations,
  listSuppressedUsers,
} from './scoped.ts';

type WorkspaceHandlers = Pick<
  ConfigHandlers,
  'listRegulations' | 'createRegulation' | 'getRegulation' | 'deleteRegulation' | 'listSuppressedUsers'
>;

type SourceHandlers = Pick<
  ConfigHandlers,
  | 'listSourceRegulations'
  | 'createSourceRegulation'
  | 'cancelSourceRegulations'
  | 'getSourceRegulation'
  | 'deleteSourceRegulation'
  | 'listSourceSuppressedUsers'
>;

export function regulationHandlers(env: Env): WorkspaceHandlers & SourceHandlers {
  return { ...ofWorkspaces(env), ...ofSources(env) };
}

function ofWorkspaces(env: Env): WorkspaceHandlers {
  return {
    listRegulations: (call) => listRegulations(env, asked(call), call.query),
    createRegulation: (call) => createRegulation(env, asked(call), call.body),
    getRegulation: (call) => getRegulation(env, asked(call), call.path.regulation),
    async deleteRegulation(call) {
      await cancelRegulation(env, asked(call), call.path.regulation, call.header);
      return {};
    },
    listSuppressedUsers: (call) => listSuppressedUsers(env, asked(call), call.query),
  };
}

function ofSources(env: Env): SourceHandlers {
  return {
    listSourceRegulations: (call) => listRegulations(env, asked(call), call.query),
    createSourceRegulation: (call) => createRegulation(env, asked(call), call.body),
    async cancelSourceRegulations(call) {
      await cancelRegulations(env, asked(call));
      return {};
    },
    getSourceRegulation: (call) => getRegulation(env, asked(call), call.path.regulation),
    async deleteSourceRegulation(call) {
      await cancelRegulation(env, asked(call), call.path.regulation, call.header);
      return {};
    },
    listSourceSuppressedUsers: (call) => listSuppressedUsers(env, asked(call), call.query),
  };
}

interface Request {
  readonly path: { readonly workspace: string; readonly source?: string };
  readonly caller: Caller;
}

function asked({ path: { workspace, source }, caller }: Request): Asked {
  const scope = source === undefined ? workspaceName({ workspace }) : sourceName({ workspace, source });
  return { scope, caller };
}
