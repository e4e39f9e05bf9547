import type { Turns } from '../evaluation/turns.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { Target } from '../delivery/target.ts';
import { type Resources, workspaceOf } from '../model/resources.ts';
import type { Commit, ConfigStore } from '../storage/config-store.ts';
import type { SourceView } from './source-view.ts';
import { WorkspaceDirectory } from './workspace-directory.ts';
import type { SuppressedUsers } from './suppressed-users.ts';

/**
 * The configuration as events need it, compiled, and read without waiting. The storage's change feed keeps it: a change
 * is here before it is answered, so it holds for the next event and the next round (D-13).
 */
export interface Directory {
  sourceByWriteKey(writeKey: string): Resources['sources'] | undefined;
  /** Undefined when there is no such source. */
  source(name: string): SourceView | undefined;
  /** Undefined when the destination is disabled or gone (D-30). */
  readonly target: (destination: string) => Target | undefined;
  /** The list of a workspace or of one source (D-12). */
  suppressed(scope: string): SuppressedUsers;
  /** The last commit of a workspace that is known here; 0 when there is no such workspace. */
  version(workspace: string): number;
}

export interface DirectoryParts {
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
}

/** Resolves once all that stands in the storage is known. */
export async function openDirectory(resources: Pick<ConfigStore, 'watch'>, parts: DirectoryParts): Promise<Directory> {
  const workspaces = new Map<string, WorkspaceDirectory>();
  const sourcesByKey = new Map<string, string>();
  const compile = { ...parts, sourcesByKey };
  const workspace = (name: string): WorkspaceDirectory => {
    const known = workspaces.get(name) ?? new WorkspaceDirectory(name, compile);
    workspaces.set(name, known);
    return known;
  };
  const of = (name: string): WorkspaceDirectory | undefined => workspaces.get(workspaceOf(name));
  await resources.watch((commit) => {
    if (commit.workspace !== '') return workspace(commit.workspace).apply(commit);
    for (const name of removedBy(commit)) {
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
    target: (destination) => of(destination)?.target(destination),
    suppressed: (scope) => of(scope)?.suppressed(scope) ?? new Map(),
    version: (name) => workspaces.get(name)?.version ?? 0,
  };
}

function removedBy({ changes }: Commit): string[] {
  return changes.filter(({ kind, row }) => kind === 'workspaces' && row === undefined).map(({ name }) => name);
}
