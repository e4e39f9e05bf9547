import { parentOf } from '../model/resource-names.ts';
import type { Kind, Quota, Resources } from '../model/resources.ts';
import type { Change, Commit, Entry } from '../storage/config-store.ts';

export type Rows<K extends Kind> = Map<string, Entry<Resources[K]>>;

/** Rows by what they stand in, and by name. */
export class Children<K extends Kind> {
  readonly #byParent = new Map<string, Rows<K>>();

  get(name: string): Resources[K] | undefined {
    return this.#byParent.get(parentOf(name))?.get(name)?.resource;
  }

  /** In order of creation. */
  rowsBelow(parent: string): readonly Entry<Resources[K]>[] {
    const rows = [...(this.#byParent.get(parent)?.values() ?? [])];
    return rows.toSorted((one, other) => one.sequence - other.sequence);
  }

  /** In order of creation. */
  below(parent: string): readonly Resources[K][] {
    return this.rowsBelow(parent).map(({ resource }) => resource);
  }

  put(name: string, row: Entry<Resources[K]> | undefined): void {
    const parent = parentOf(name);
    const rows: Rows<K> = this.#byParent.get(parent) ?? new Map();
    put(rows, name, row);
    if (rows.size > 0) this.#byParent.set(parent, rows);
    else this.#byParent.delete(parent);
  }
}

export function put<Value>(rows: Map<string, Value>, name: string, row: Value | undefined): void {
  if (row === undefined) rows.delete(name);
  else rows.set(name, row);
}

export function mark(names: Set<string>, name: string, isOne: boolean): void {
  if (isOne) names.add(name);
  else names.delete(name);
}

export function removedWorkspaces({ changes }: Commit): string[] {
  return changes.filter(({ kind, row }) => kind === 'workspaces' && row === undefined).map(({ name }) => name);
}

/** The quotas of workspaces, as a change leaves them. One without a limit is none. */
export function noteQuota(quotas: Map<string, Quota>, { kind, name, row }: Change): void {
  const quota = kind === 'workspaces' ? row?.resource.quota : undefined;
  if (quota !== undefined && quota.events_per_second + quota.events_per_day > 0) quotas.set(name, quota);
  else if (kind === 'workspaces') quotas.delete(name);
}
