import type { Commit, ConfigStore } from '../config-store.ts';

/** The version of a workspace's configuration; undefined where there is no such workspace, and so nothing is stale. */
export type VersionOf = (workspace: string) => number | undefined;

/** The versions that the change feed has told. */
export class Versions {
  readonly #versions = new Map<string, number>();

  readonly of: VersionOf = (workspace) => this.#versions.get(workspace);

  async follow(resources: Pick<ConfigStore, 'watch'>): Promise<void> {
    await resources.watch((commit) => this.#note(commit));
  }

  #note({ workspace, version, changes }: Commit): void {
    if (workspace !== '') this.#versions.set(workspace, version);
    for (const { kind, name, row } of changes) {
      if (kind === 'workspaces' && row === undefined) this.#versions.delete(name);
    }
  }
}
