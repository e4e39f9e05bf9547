import type { Kind, Resources } from '../../model/resources.ts';
import type { Change, Commit, ConfigStore, Entry } from '../config-store.ts';
import { Versions } from '../versions.ts';
import { Draft } from './draft.ts';
import { homeOf, ResourceReads, type States } from './resource-reads.ts';
import { emptyState, type State, type Table, type Tables } from './tables.ts';
import { keysOf, keysOfRow, UniqueKeys } from './unique-keys.ts';

/** All resources in memory, as commits made them. Applying commits again that it knows does no harm, in their order. */
export class Replica implements States {
  readonly keys = new UniqueKeys();
  readonly versions = new Versions();
  readonly reads = new ResourceReads(this);
  readonly #states = new Map<string, State>([['', emptyState()]]);

  stateOf(home: string): State | undefined {
    return this.#states.get(home);
  }

  homes(): Iterable<string> {
    return this.#states.keys();
  }

  /** A fork of what stands at a home, whose new rows are numbered from here. It is to be `dropped()` once it was looked at. */
  draft(home: string, sequence: number): Draft {
    const state = this.#states.get(home);
    const isThere = state !== undefined;
    return new Draft({
      state: { ...(state ?? emptyState()), sequence },
      home: isThere ? home : undefined,
      keys: this.keys,
    });
  }

  apply({ workspace, version, changes }: Commit): void {
    this.versions.set(workspace, version);
    // A commit has each name once.
    const [gone, rest] = [
      changes.filter(({ row }) => row === undefined),
      changes.filter(({ row }) => row !== undefined),
    ];
    for (const [kind, own] of Map.groupBy(gone, (change) => change.kind)) this.#remove(workspace, kind, own);
    for (const change of rest) this.#apply(workspace, change);
  }

  /** All of a kind at once: as many may go as there are. */
  #remove(home: string, kind: Kind, gone: readonly Change[]): void {
    const state = this.#stateAt(home);
    for (const { name } of gone) this.#freeKeys(state.tables, name);
    if (kind === 'former-keys') for (const { name } of gone) this.keys.former.remove(name);
    state.tables[kind].removeAll(gone.map(({ name }) => name));
    if (kind === 'workspaces') for (const { name } of gone) this.#forget(name);
  }

  #apply(home: string, { kind, name, row }: Change): void {
    if (row === undefined) return;
    const { tables } = this.#stateAt(home);
    this.#freeKeys(tables, name);
    this.#put(tables, kind, row);
    if (kind === 'workspaces' && !this.#states.has(name)) this.#states.set(name, emptyState());
  }

  #stateAt(home: string): State {
    const state = this.#states.get(home) ?? emptyState();
    this.#states.set(home, state);
    return state;
  }

  #put(tables: Tables, kind: Kind, entry: Entry<Resources[Kind]>): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row is of its change's kind; the compiler cannot tell that of a union
    const table = tables[kind] as Table<Resources[Kind]>;
    table.put(entry);
    this.keys.put(keysOfRow(kind, entry), entry.name);
    if (kind === 'former-keys') this.keys.former.put(entry.name);
  }

  #freeKeys(tables: Tables, name: string): void {
    const before = tables.sources.get(name) ?? tables['access-tokens'].get(name);
    if (before !== undefined) this.keys.free(keysOf(before.resource), name);
  }

  #forget(workspace: string): void {
    const { sources, 'former-keys': former } = this.#states.get(workspace)?.tables ?? emptyState().tables;
    for (const { name, resource } of sources.all()) this.keys.free(keysOf(resource), name);
    for (const { name } of former.all()) this.keys.former.remove(name);
    this.#states.delete(workspace);
    this.versions.forget(workspace);
  }
}

/** How an engine makes a change: it applies it to a draft of the home as it stands, and keeps that whole or not at all. */
export type MakeChange = <T>(home: string, apply: (draft: Draft) => T) => Promise<T>;

/** The verbs that change, of an engine with a replica. */
export function changesOf(replica: Replica, change: MakeChange): Pick<ConfigStore, 'create' | 'update' | 'remove'> {
  return {
    create: (kind, resource, most, fit, author) =>
      change(homeOf(resource.name), (draft) => draft.create(kind, resource, most, fit, author)),
    update: (kind, name, edit, author) => change(homeOf(name), (draft) => draft.update(kind, name, edit, author)),
    remove: (kind, name, check, author) =>
      change(homeOf(name), (draft) =>
        draft.remove(kind, name, check, author, kind === 'workspaces' ? replica.stateOf(name)?.tables : undefined),
      ),
  };
}
