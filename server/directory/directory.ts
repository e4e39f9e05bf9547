import { compileComputations, type Computations } from '../audiences/computations.ts';
import type { Targets } from '../delivery/target.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Quota, Resources } from '../model/resources.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { type Connections, NO_CONNECTIONS } from './destination-rows.ts';
import type { Noticed } from './noticed.ts';
import { noteQuota, removedWorkspaces } from './rows.ts';
import type { SourceView } from './source-view.ts';
import type { SuppressionList } from './suppressed-users.ts';
import { type DirectoryParts, WorkspaceDirectory } from './workspace-directory.ts';

/**
 * The configuration as events need it, compiled, and read without waiting. The storage's change feed keeps it: a change
 * is here before it is answered, so it holds for the next event and the next round (D-13).
 */
export interface Directory {
  sourceByWriteKey(writeKey: string): Resources['sources'] | undefined;
  /** Undefined when there is none. */
  source(name: string): SourceView | undefined;
  readonly target: Targets;
  /** The list of a workspace or of one source (D-12); undefined where it is empty. */
  suppressed(scope: string): SuppressionList | undefined;
  /** Another one after each deletion of users of a workspace; undefined while one is under way. */
  erasures(workspace: string): number | undefined;
  /** Undefined where a workspace has no limit. */
  readonly quota: (workspace: string) => Quota | undefined;
  /** What stands in a workspace. */
  connections(workspace: string): Connections;
  /** What is computed in a workspace. */
  computations(workspace: string): Computations;
  /** Who hears notices of a workspace, and what they are about; undefined where nobody does. */
  noticed(workspace: string): Noticed | undefined;
  /** Full names of all that have anything in them. */
  workspaces(): readonly string[];
  /** The last commit of a workspace that is known here; 0 when there is no such workspace. */
  version(workspace: string): number;
  /** Resolves once all is known here that any router answered before (NODE-5). */
  refresh(): Promise<void>;
}

/** Resolves once all that stands in the storage is known. */
export async function openDirectory(
  resources: Pick<ConfigStore, 'watch' | 'refresh'>,
  parts: DirectoryParts,
): Promise<Directory> {
  const workspaces = new Map<string, WorkspaceDirectory>();
  const sourcesByKey = new Map<string, string>();
  const quotas = new Map<string, Quota>();
  const workspace = (name: string): WorkspaceDirectory => {
    const known = workspaces.get(name) ?? new WorkspaceDirectory(name, { ...parts, sourcesByKey });
    workspaces.set(name, known);
    return known;
  };
  const of = (name: string): WorkspaceDirectory | undefined => workspaces.get(workspaceOf(name));
  await resources.watch((commit) => {
    if (commit.workspace !== '') return workspace(commit.workspace).apply(commit);
    for (const change of commit.changes) noteQuota(quotas, change);
    for (const name of removedWorkspaces(commit)) {
      workspaces.get(name)?.clear();
      workspaces.delete(name);
    }
  });
  return {
    sourceByWriteKey: (writeKey) => {
      const name = sourcesByKey.get(writeKey);
      return name === undefined ? undefined : of(name)?.storedSource(name);
    },
    source: (name) => of(name)?.source(name),
    target: (destination, sending) => of(destination)?.target(destination, sending),
    suppressed: (scope) => of(scope)?.suppressions.of(scope),
    erasures: (name) => workspaces.get(name)?.erasures.ended,
    quota: (name) => quotas.get(name),
    noticed: (name) => workspaces.get(name)?.noticed(),
    connections: (name) => workspaces.get(name)?.connections() ?? NO_CONNECTIONS,
    computations: (name) => workspaces.get(name)?.computations() ?? compileComputations(name, NOTHING),
    workspaces: () => [...workspaces.keys()],
    version: (name) => workspaces.get(name)?.version ?? 0,
    refresh: () => resources.refresh(),
  };
}

const NOTHING = { audiences: [], traits: [] };
