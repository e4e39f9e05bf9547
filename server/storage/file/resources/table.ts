import type { Page } from '../../config-store.ts';
import type { Entry } from './entry.ts';

interface Named {
  readonly name: string;
}

/** The name of what a resource stands in: its own without the last two segments, empty at the root (CFG-3). */
export function parentOf(name: string): string {
  return name.split('/').slice(0, -2).join('/');
}

/** The resources of one kind, by name and, in order of creation, by parent. Changed only until it is published. */
export class Table<R extends Named> {
  readonly #byName: Map<string, Entry<R>>;
  /** Each list ascends by sequence, and is replaced rather than changed: forks share them. */
  readonly #byParent: Map<string, readonly Entry<R>[]>;

  constructor(from?: Table<R>) {
    this.#byName = new Map(from === undefined ? [] : from.#byName);
    this.#byParent = new Map(from === undefined ? [] : from.#byParent);
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

  /** The sequence of the entry must be greater than any before it. */
  add(entry: Entry<R>): void {
    const { name } = entry.resource;
    const parent = parentOf(name);
    this.#byName.set(name, entry);
    this.#byParent.set(parent, [...this.children(parent), entry]);
  }

  /** Keeps the place of the entry that has this name and sequence. */
  replace(entry: Entry<R>): void {
    const { name } = entry.resource;
    const parent = parentOf(name);
    const rows = this.children(parent);
    this.#byName.set(name, entry);
    this.#byParent.set(parent, rows.with(firstAfter(rows, entry.sequence - 1), entry));
  }

  remove(name: string): void {
    const parent = parentOf(name);
    const left = this.children(parent).filter((entry) => entry.resource.name !== name);
    this.#byName.delete(name);
    if (left.length > 0) this.#byParent.set(parent, left);
    else this.#byParent.delete(parent);
  }
}

/** The index of the first row whose sequence is greater; by halving, so a page costs no more in a long list. */
export function firstAfter(rows: readonly { readonly sequence: number }[], sequence: number): number {
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
