import { workspaceOf } from '../../model/resource-names.ts';
import type { AccessToken, Kind, Resources } from '../../model/resources.ts';
import type { Change, Commit, Entry, Page } from '../config-store.ts';
import type { VersionOf } from '../versions.ts';
import { KINDS, type State } from './tables.ts';
import type { UniqueKeys } from './unique-keys.ts';

/** What stands, by home: the full name of a workspace for all below it; empty at the root. */
export interface States {
  readonly keys: Pick<UniqueKeys, 'owner'>;
  /** Undefined where there is no such workspace. */
  stateOf(home: string): State | undefined;
  homes(): Iterable<string>;
}

/** In which state a resource of this name is. */
export function homeOf(name: string): string {
  const workspace = workspaceOf(name);
  return workspace === name ? '' : workspace;
}

/** What is read of states, whichever engine keeps them. */
export class ResourceReads {
  readonly #states: States;

  constructor(states: States) {
    this.#states = states;
  }

  get<K extends Kind>(kind: K, name: string): Resources[K] | undefined {
    return this.#states.stateOf(homeOf(name))?.tables[kind].get(name)?.resource;
  }

  list<K extends Kind>(kind: K, parent: string, page: Page): readonly Entry<Resources[K]>[] {
    return this.#states.stateOf(parent === '' ? '' : workspaceOf(parent))?.tables[kind].page(parent, page) ?? [];
  }

  tokenByHash(hash: string): AccessToken | undefined {
    // A hash is claimed before the write that brings it: until then there is no such token (D-13).
    const owner = this.#states.keys.owner(hash);
    return owner === undefined ? undefined : this.get('access-tokens', owner);
  }

  /** All that stands, as the change feed begins: of these kinds, where they are given. */
  *standing(versionOf: VersionOf, kinds: readonly Kind[] = KINDS): Iterable<Commit> {
    for (const home of this.#states.homes()) {
      const { tables } = this.#states.stateOf(home) ?? {};
      const changes = tables === undefined ? [] : kinds.flatMap((kind) => rowsOf(tables[kind].all(), kind));
      yield { workspace: home, version: versionOf(home) ?? 0, changes };
    }
  }
}

function rowsOf(rows: Iterable<Entry<Resources[Kind]>>, kind: Kind): Change[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each row is of its table's kind
  return Array.from(rows, (row) => ({ kind, name: row.name, row }) as Change);
}
