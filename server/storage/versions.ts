import { StaleRouting } from './errors.ts';

/**
 * The version of a workspace's configuration, 0 where there is no such workspace; undefined where nobody counts them, and so
 * nothing is stale.
 */
export type VersionOf = (workspace: string) => number | undefined;

/** The version of each workspace, and of the root: each commit has a greater one than all before it. */
export class Versions {
  readonly #byWorkspace = new Map<string, number>();
  #last = 0;

  readonly of = (workspace: string): number => this.#byWorkspace.get(workspace) ?? 0;

  /** That of a new commit. */
  raise(workspace: string): number {
    this.set(workspace, this.#last + 1);
    return this.#last;
  }

  /** That of a commit which has one. */
  set(workspace: string, version: number): void {
    this.#last = version;
    this.#byWorkspace.set(workspace, version);
  }

  /** Of all commits so far. */
  get last(): number {
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
