import { parentOf } from '../../model/resource-names.ts';
import type { Kind, Resources } from '../../model/resources.ts';
import type { Entry, Page } from '../config-store.ts';
import { ForkedMap } from './forked-map.ts';
import type { Named } from './stored-entry.ts';

/** Beside what stands above them, whom resources belong to. */
type HoldersOf<R> = (entry: Entry<R>) => readonly string[];

/** The resources of one kind, by name and, in order of creation, by parent. */
export class Table<R extends Named> {
  #byName = new ForkedMap<Entry<R>>();
  /** Each list ascends by sequence. */
  #byParent = new ForkedMap<Entry<R>[]>();
  /** Parents whose lists no fork has: they are changed, the others replaced. */
  #ownLists = new Set<string>();
  #lengths = new ForkedMap<number>();
  #length = 0;
  readonly #holdersOf: HoldersOf<R>;

  constructor(from?: Table<R>, holdersOf: HoldersOf<R> = () => []) {
    this.#holdersOf = holdersOf;
    if (from === undefined) return;
    [this.#byName, this.#byParent, this.#lengths] = [from.#byName.fork(), from.#byParent.fork(), from.#lengths.fork()];
    [this.#length, this.#holdersOf] = [from.#length, from.#holdersOf];
    from.#ownLists = new Set();
  }

  /** Characters of JSON. A sum that is kept: a change must not cost what stands. */
  get length(): number {
    return this.#length;
  }

  /** Of it, what belongs to a holder. */
  lengthOf(holder: string): number {
    return this.#lengths.get(holder) ?? 0;
  }

  get(name: string): Entry<R> | undefined {
    return this.#byName.get(name);
  }

  /** As they stand until the table changes. */
  children(parent: string): readonly Entry<R>[] {
    return this.#byParent.get(parent) ?? [];
  }

  page(parent: string, { after, limit }: Page): readonly Entry<R>[] {
    const rows = this.children(parent);
    const start = firstAfter(rows, after);
    return rows.slice(start, start + limit);
  }

  all(): Iterable<Entry<R>> {
    return this.#byName.values();
  }

  /** In the place that its sequence gives it; one of the same name goes. */
  put(entry: Entry<R>): void {
    const { name } = entry;
    const before = this.#byName.get(name);
    if (before !== undefined && before.sequence !== entry.sequence) this.removeAll([name]);
    else if (before !== undefined) this.#count(before, -1);
    this.#count(entry, 1);
    this.#byName.set(name, entry);
    const rows = this.#ownList(parentOf(name));
    const place = firstAfter(rows, entry.sequence - 1);
    if (rows[place]?.sequence === entry.sequence) rows[place] = entry;
    else if (place === rows.length) rows.push(entry);
    else rows.splice(place, 0, entry);
  }

  /** Those that are there. However many stand below one parent, its list is made anew once. */
  removeAll(names: Iterable<string>): void {
    const gone = new Set(Array.from(names, (name) => this.#byName.get(name)).filter((entry) => entry !== undefined));
    for (const [parent, own] of Map.groupBy(gone, ({ name }) => parentOf(name))) {
      const rows = this.children(parent);
      const [first] = own;
      const isOne = own.length === 1 && first !== undefined;
      const left = isOne
        ? rows.toSpliced(firstAfter(rows, first.sequence - 1), 1)
        : rows.filter((entry) => !gone.has(entry));
      this.#byParent.set(parent, left.length > 0 ? left : undefined);
      if (left.length > 0) this.#ownLists.add(parent);
      else this.#ownLists.delete(parent);
    }
    for (const entry of gone) {
      this.#byName.set(entry.name, undefined);
      this.#count(entry, -1);
    }
  }

  #count(entry: Entry<R>, sign: 1 | -1): void {
    const { text } = entry;
    this.#length += sign * text.length;
    for (const holder of this.#holdersOf(entry))
      this.#lengths.set(holder, this.lengthOf(holder) + sign * text.length || undefined);
  }

  #ownList(parent: string): Entry<R>[] {
    const known = this.#byParent.get(parent);
    if (known !== undefined && this.#ownLists.has(parent)) return known;
    const own = [...(known ?? [])];
    this.#byParent.set(parent, own);
    this.#ownLists.add(parent);
    return own;
  }
}

/** The index of the first row whose sequence is greater; by halving, so a page costs no more in a long list. */
function firstAfter(rows: readonly { readonly sequence: number }[], sequence: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && row.sequence <= sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type Tables = { readonly [K in Kind]: Table<Resources[K]> };

/** What one file holds. A published state is never changed; a change forks it. */
export interface State {
  /** The last number given to a row of this file: never given again, so that no page skips a row (CFG-6). */
  readonly sequence: number;
  /** Ids of removed workspaces whose files may still be there. Only the root file has any. */
  readonly removed: readonly string[];
  readonly tables: Tables;
}

/** In the order in which files have them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is a table for each kind, and no other
export const KINDS = Object.keys(copyTables()) as readonly Kind[];

/** What is noted of changes is beside what people make, and bounded by itself. */
const NOTED: ReadonlySet<Kind> = new Set(['audit-entries', 'former-keys', 'removed-workspaces']);
const MADE = KINDS.filter((kind) => !NOTED.has(kind));

/** Characters of JSON in what people made. */
export function lengthOf(tables: Tables): number {
  return MADE.reduce((sum, kind) => sum + tables[kind].length, 0);
}

export function emptyState(): State {
  return { sequence: 0, removed: [], tables: copyTables() };
}

export function copyTables(from?: Tables): Tables {
  return {
    'access-tokens': new Table(from?.['access-tokens'], ({ resource }) => resource.workspace_names),
    workspaces: new Table(from?.workspaces),
    sources: new Table(from?.sources),
    destinations: new Table(from?.destinations),
    'tracking-plans': new Table(from?.['tracking-plans']),
    regulations: new Table(from?.regulations),
    filters: new Table(from?.filters),
    audiences: new Table(from?.audiences),
    'computed-traits': new Table(from?.['computed-traits']),
    'computation-keys': new Table(from?.['computation-keys']),
    'profile-beginnings': new Table(from?.['profile-beginnings']),
    'former-keys': new Table(from?.['former-keys']),
    'removed-workspaces': new Table(from?.['removed-workspaces']),
    'audit-entries': new Table(from?.['audit-entries']),
  };
}
