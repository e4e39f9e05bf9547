import { deepFreeze } from '../../model/json-values.ts';
import { type Kind, parentOf, type Resources } from '../../model/resources.ts';
import type { Entry, Page, Row } from '../config-store.ts';

/** The resource is copied by way of its JSON: memory holds exactly what a file gives back, and nobody can change it. */
export function toEntry<R>(sequence: number, resource: R): Entry<R> {
  const text = JSON.stringify(resource);
  const copy: R = JSON.parse(text);
  return Object.freeze({ sequence, resource: deepFreeze(copy), text });
}

/** A row that a table can hold: what was made by `toEntry` is kept as it is. */
export function entryOf<R>(row: Row<R>): Entry<R> {
  return isEntry(row) ? row : toEntry(row.sequence, row.resource);
}

function isEntry<R>(row: Row<R>): row is Entry<R> {
  return 'text' in row;
}

interface Named {
  readonly name: string;
}

/** The resources of one kind, by name and, in order of creation, by parent. */
export class Table<R extends Named> {
  #byName = new Map<string, Entry<R>>();
  /** Each list ascends by sequence, and is replaced rather than changed: forks share them. */
  #byParent = new Map<string, readonly Entry<R>[]>();
  /** Whether another table has the same maps: who changes something first takes copies. Most tables of a fork never do. */
  #isShared = false;

  constructor(from?: Table<R>) {
    if (from === undefined) return;
    [this.#byName, this.#byParent] = [from.#byName, from.#byParent];
    this.#isShared = from.#isShared = true;
  }

  get(name: string): Entry<R> | undefined {
    return this.#byName.get(name);
  }

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
    this.#own();
    const { name } = entry.resource;
    const before = this.#byName.get(name);
    if (before !== undefined && before.sequence !== entry.sequence) this.remove(name);
    const parent = parentOf(name);
    const rows = this.children(parent);
    const place = firstAfter(rows, entry.sequence - 1);
    this.#byName.set(name, entry);
    this.#byParent.set(parent, rows.toSpliced(place, rows[place]?.sequence === entry.sequence ? 1 : 0, entry));
  }

  remove(name: string): void {
    if (!this.#byName.has(name)) return;
    this.#own();
    const parent = parentOf(name);
    const left = this.children(parent).filter((entry) => entry.resource.name !== name);
    this.#byName.delete(name);
    if (left.length > 0) this.#byParent.set(parent, left);
    else this.#byParent.delete(parent);
  }

  #own(): void {
    if (!this.#isShared) return;
    [this.#byName, this.#byParent, this.#isShared] = [new Map(this.#byName), new Map(this.#byParent), false];
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

export const KINDS = [
  'access-tokens',
  'workspaces',
  'sources',
  'destinations',
  'tracking-plans',
  'regulations',
  'filters',
  'audiences',
  'computed-traits',
  'computation-keys',
  'profile-beginnings',
  'audit-entries',
] as const satisfies Kind[];

/** What is noted of changes is beside what people make, and bounded by itself. */
const MADE = KINDS.filter((kind) => kind !== 'audit-entries');

/** Characters of JSON in what people made. */
export function lengthOf(tables: Tables): number {
  let length = 0;
  for (const kind of MADE) for (const { text } of tables[kind].all()) length += text.length;
  return length;
}

export function emptyState(): State {
  return { sequence: 0, removed: [], tables: copyTables() };
}

export function copyTables(from?: Tables): Tables {
  return {
    'access-tokens': new Table(from?.['access-tokens']),
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
    'audit-entries': new Table(from?.['audit-entries']),
  };
}
