import { StaleRouting } from './errors.ts';

/** The version of a workspace's configuration; undefined where nobody counts them, and so nothing is stale. */
export type VersionOf = (workspace: string) => number | undefined;

/** The version of each workspace, and of the root: each commit has a greater one than all before it. */
export class Versions {
  readonly #byWorkspace = new Map<string, number>();
  #last = 0;

  readonly of: VersionOf = (workspace) => this.#byWorkspace.get(workspace);

  /** That of a commit. */
  raise(workspace: string): number {
    this.#last += 1;
    this.#byWorkspace.set(workspace, this.#last);
    return this.#last;
  }

  /** To be called when a workspace was removed. */
  forget(workspace: string): void {
    this.#byWorkspace.delete(workspace);
  }
}

/** Throws StaleRouting where a workspace has another version by now than the one by which its messages were routed. */
export function refuseStale(
  { workspace, version }: { readonly workspace: string; readonly version: number },
  versionOf: VersionOf | undefined,
): void {
  const current = versionOf?.(workspace) ?? version;
  if (current !== version) throw new StaleRouting(`${workspace} has version ${current}, not ${version}`);
}
