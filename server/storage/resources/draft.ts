import { parentOf, workspaceOf } from '../../model/resource-names.ts';
import type { Kind, Resources } from '../../model/resources.ts';
import {
  type Author,
  type Change,
  type Creation,
  type Entry,
  type Fit,
  type Home,
  HOME_LENGTH,
  HomeFull,
  KeyTaken,
  type RemovalCheck,
  RESERVE_LENGTH,
} from '../config-store.ts';
import { changedFields, outdatedEntries } from './audit.ts';
import { unbound } from './bound-tokens.ts';
import { FORMER_KEYS, formerKey, keysLeftBy } from './former-keys.ts';
import { MOST_REMOVED, removedName, removedWorkspace } from './removed-workspaces.ts';
import { toEntry } from './stored-entry.ts';
import { copyTables, KINDS, lengthOf, type State, type Tables } from './tables.ts';
import { keysOf, keysOfRow, type UniqueKeys } from './unique-keys.ts';

export interface DraftOptions {
  readonly state: State;
  /** The name that stands above everything in the file; undefined once its workspace was removed. */
  readonly home: string | undefined;
  readonly keys: UniqueKeys;
}

/** Characters: more than something becomes longer when it is switched off, and little more. */
const SWITCHED_OFF = 8;
const MOST_KEPT = { 'former-keys': FORMER_KEYS, 'removed-workspaces': MOST_REMOVED };
/** The operations that people ask for when a secret has leaked, or a user wants to be forgotten. */
const MUST_NOT_WAIT: ReadonlySet<string> = new Set(['rotateSecret', 'createRegulation', 'createSourceRegulation']);

/** The changes that will share one write, applied one after another to a fork of what is published. */
export class Draft {
  readonly #tables: Tables;
  readonly #home: string | undefined;
  readonly #keys: UniqueKeys;
  readonly #removed: string[];
  readonly #claimed: string[] = [];
  /** Keys that go with this write, by who has them until then: others may have them only afterwards. */
  readonly #freed = new Map<string, string>();
  /** What each changed row became, by its name; empty when there is nothing to write. */
  readonly changes = new Map<string, Change>();
  #sequence: number;

  constructor({ state, home, keys }: DraftOptions) {
    this.#tables = copyTables(state.tables);
    this.#sequence = state.sequence;
    this.#removed = [...state.removed];
    this.#home = home;
    this.#keys = keys;
  }

  get state(): State {
    return { sequence: this.#sequence, removed: this.#removed, tables: this.#tables };
  }

  /** A change that has an author is noted beside it. */
  create<K extends Kind>(
    kind: K,
    given: Resources[K],
    most = Infinity,
    fit?: Fit<Resources[K]>,
    author?: Author,
  ): Creation {
    const { name } = given;
    if (!this.#exists(parentOf(name))) return 'parent missing';
    if (this.#tables[kind].get(name) !== undefined) return 'name taken';
    if (this.#tables[kind].children(parentOf(name)).length >= most) return 'no room';
    const resource = fit === undefined ? given : fit(given, this.#homeRows);
    refuseNewIdentity(given, resource);
    const entry = toEntry(this.#sequence + 1, resource);
    this.#requireRoom(entry.text.length, author);
    if (!this.#claim(keysOf(resource), name, author)) return kind === 'sources' ? 'write key taken' : 'name taken';
    this.#put(kind, entry);
    // Earlier versions kept those of a workspace that was removed.
    if (kind === 'workspaces') this.#unbindTokens(name);
    if (kind === 'workspaces') this.#removeRows('removed-workspaces', [removedName(name)]);
    this.#audit(author, name);
    return 'created';
  }

  update<K extends Kind>(kind: K, name: string, change: Fit<Resources[K]>, author?: Author): Resources[K] | undefined {
    const stored = this.#tables[kind].get(name);
    if (stored === undefined) return undefined;
    const current = stored.resource;
    const next = change(current, this.#homeRows);
    if (next === current) return next;
    refuseNewIdentity(current, next);
    const entry = toEntry(stored.sequence, next);
    this.#requireRoom(entry.text.length - stored.text.length, author);
    const [before, after] = [keysOf(current), keysOf(next)];
    if (before.length > 0 || after.length > 0) this.#exchangeKeys({ before, after }, name, author);
    this.#put(kind, entry);
    const { resource } = entry;
    this.#audit(author, name, { before: current, after: resource });
    return resource;
  }

  /** Of a workspace, what stands below it is in tables of its own. */
  remove<K extends Kind>(
    kind: K,
    name: string,
    check: RemovalCheck<Resources[K]> | undefined,
    author?: Author,
    tablesBelow?: Tables,
  ): boolean {
    const table = this.#tables[kind];
    const current = table.get(name);
    if (current === undefined) return false;
    check?.(current.resource, {
      ...this.#homeRows,
      siblings: () => table.children(parentOf(name)).flatMap((entry) => (entry === current ? [] : entry.resource)),
      has: (below) => (tablesBelow ?? this.#tables)[below].children(name).length > 0,
    });
    this.#removeBelow([name]);
    this.#removeRows(kind, [name]);
    if (kind === 'workspaces') this.#unbindTokens(name);
    const key = computationKey(current.resource);
    if (key !== undefined) this.#retireKey(parentOf(name), key);
    if (tablesBelow !== undefined) this.#keep('former-keys', keysLeftBy(name, tablesBelow));
    if (kind === 'workspaces') this.#keep('removed-workspaces', [removedWorkspace(name, author)]);
    this.#audit(author, name);
    return true;
  }

  /** To be called once the state is on disk. */
  published(): void {
    for (const { kind, name, row } of this.changes.values()) {
      if (kind !== 'former-keys') continue;
      if (row === undefined) this.#keys.former.remove(name);
      else this.#keys.former.put(name);
    }
    if (this.#freed.size > 0) this.#keys.free(this.#freed.keys());
  }

  /** To be called when the state could not be written. */
  dropped(): void {
    this.#keys.free(this.#claimed);
  }

  get #homeRows(): Home {
    return {
      get: (kind, name) => this.#tables[kind].get(name)?.resource,
      all: (kind) => Array.from(this.#tables[kind].all(), ({ resource }) => resource),
      lengthOfTokens: (workspace) => this.#tables['access-tokens'].lengthOf(workspace),
    };
  }

  #add<K extends Kind>(kind: K, resource: Resources[K]): void {
    this.#put(kind, toEntry(this.#sequence + 1, resource));
  }

  #put<K extends Kind>(kind: K, entry: Entry<Resources[K]>): void {
    this.#sequence = Math.max(this.#sequence, entry.sequence);
    this.#tables[kind].put(entry);
    this.#note(kind, entry.name, entry);
  }

  /**
   * For so many characters of JSON more. What shrinks always has room, and so has what people switch off; what the router notes by itself,
   * as how far an erasure is, must not wait for people.
   */
  #requireRoom(more: number, author: Author | undefined): void {
    if (author === undefined || more <= SWITCHED_OFF) return;
    const room = HOME_LENGTH + (MUST_NOT_WAIT.has(author.operation) ? RESERVE_LENGTH : 0);
    if (lengthOf(this.#tables) + more <= room) return;
    const where = this.#home === undefined || this.#home === '' ? 'what belongs to no workspace' : this.#home;
    const most = `${HOME_LENGTH / 1_000_000} MB of configuration`;
    throw new HomeFull(`${where} would hold more than ${most}: remove what is no longer used, or shorten it`);
  }

  #audit(
    author: Author | undefined,
    resource: string,
    updated?: { readonly before: object; readonly after: object },
  ): void {
    if (author === undefined) return;
    const fields = updated === undefined ? [] : changedFields(updated.before, updated.after);
    const home = this.#home ?? '';
    const name = `${home === '' ? '' : `${home}/`}audit-entries/${this.#sequence + 1}`;
    const { workspaces: _, ...who } = author;
    this.#add('audit-entries', { name, ...who, resource, fields });
    this.#removeRows(
      'audit-entries',
      outdatedEntries(this.#tables['audit-entries'].children(home), author.create_time),
    );
  }

  #unbindTokens(workspace: string): void {
    const tokens = this.#tables['access-tokens'];
    if (tokens.lengthOf(workspace) === 0) return;
    const { gone, others } = unbound(tokens.all(), workspace);
    this.#removeRows('access-tokens', gone);
    for (const entry of others) this.#put('access-tokens', entry);
  }

  /** Of an audience or computed trait that is removed: no later one may have its key (D-72). */
  #retireKey(workspace: string, key: string): void {
    this.#add('computation-keys', { name: `${workspace}/computation-keys/${key}` });
  }

  /** The latest, also where a workspace makes new ones without end. */
  #keep<K extends keyof typeof MOST_KEPT>(kind: K, rows: readonly Resources[K][]): void {
    for (const row of rows) {
      this.#add(kind, row);
      const kept = this.#tables[kind].children(parentOf(row.name));
      if (kept[0] !== undefined && kept.length > MOST_KEPT[kind]) this.#removeRows(kind, [kept[0].name]);
    }
  }

  #exists(name: string): boolean {
    return name === this.#home || KINDS.some((kind) => this.#tables[kind].get(name) !== undefined);
  }

  #claim(keys: readonly string[], owner: string, author: Author | undefined): boolean {
    const { workspaces = [] } = author ?? {};
    if (workspaces.length > 0 && keys.some((key) => this.#keys.former.areOfOthers(key, workspaces))) return false;
    const free = this.#keys.claim(keys, owner);
    if (free) this.#claimed.push(...keys);
    return free;
  }

  #exchangeKeys(
    { before, after }: Readonly<Record<'before' | 'after', readonly string[]>>,
    owner: string,
    author: Author | undefined,
  ): void {
    const added = after.filter((key) => !before.includes(key));
    const returned = added.filter((key) => this.#freed.get(key) === owner);
    const wanted = added.filter((key) => !returned.includes(key));
    if (!this.#claim(wanted, owner, author)) throw new KeyTaken(`a new key of ${owner} belongs to another resource`);
    for (const key of returned) this.#freed.delete(key);
    this.#free(
      before.filter((key) => !after.includes(key)),
      owner,
    );
  }

  /** Others may have them once this is written; of write keys, those of the same workspace. */
  #free(keys: readonly string[], owner: string): void {
    for (const key of keys) this.#freed.set(key, owner);
    const workspace = workspaceOf(owner);
    if (workspace !== owner)
      this.#keep(
        'former-keys',
        keys.map((key) => formerKey(workspace, key)),
      );
  }

  /** All of a kind at once: below one resource there may be as many as the workspace holds. */
  #removeBelow(parents: readonly string[]): void {
    for (const kind of KINDS.filter((one) => this.#tables[one].length > 0)) {
      const rows = parents.flatMap((parent): readonly Entry<{ name: string }>[] => this.#tables[kind].children(parent));
      if (rows.length === 0) continue;
      const names = rows.map((row) => row.name);
      this.#removeBelow(names);
      this.#removeRows(kind, names);
    }
  }

  #removeRows(kind: Kind, names: readonly string[]): void {
    for (const name of names) {
      const row = this.#tables[kind].get(name);
      if (row === undefined) continue;
      this.#free(keysOfRow(kind, row), name);
      const workspace = kind === 'workspaces' ? this.#tables[kind].get(name) : undefined;
      if (workspace !== undefined) this.#removed.push(workspace.resource.id);
      this.#note(kind, name, undefined);
    }
    this.#tables[kind].removeAll(names);
  }

  #note<K extends Kind>(kind: K, name: string, row: Entry<Resources[K]> | undefined): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pair of kind and row; the compiler cannot tell that of a union
    this.changes.set(name, { kind, name, row } as Change);
  }
}

/** Of an audience or computed trait. */
function computationKey(resource: Resources[Kind]): string | undefined {
  return 'measures_from' in resource ? resource.key : undefined;
}

/** Rows are found by name and id, so a change that altered one would lose its row; keys are fixed (D-72). */
function refuseNewIdentity(current: object, next: object): void {
  for (const field of ['name', 'id', 'key']) {
    const [before, after]: unknown[] = [Reflect.get(current, field), Reflect.get(next, field)];
    if (before !== after)
      throw new Error(`an update may not change ${field} from ${String(before)} to ${String(after)}`);
  }
}
