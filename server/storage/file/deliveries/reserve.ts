import { type StatsFs, statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { NoRoomLeft } from '../full-disk.ts';
import type { Verb } from '../../verbs.ts';

/** So much of a disk is kept from events, and this share of a small one. */
const KEPT_BYTES = 100_000_000;
const KEPT_SHARE = 1 / 16;
/** How long what a disk told holds; on a fast one, some megabytes are written meanwhile. */
const LOOK_MS = 25;

/** What stores events that were not there before. */
const GROWING: ReadonlySet<string> = new Set<Verb>(['accept', 'tell']);

export type StatDisk = (folder: string) => Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>;

/**
 * Room on the disk that new events do not get. With the last of it everything would end that makes room again, or needs a little: the
 * purge of old events, changes of the configuration, the results of deliveries, and a start of the router. Pages that are free in the
 * file are room as well: what was purged is not given back to the disk at once.
 */
export class Reserve {
  readonly #folder: string;
  readonly #stat: StatDisk;
  readonly #freeInFile: () => number;
  #seenAt = -Infinity;
  #finding: NoRoomLeft | undefined;

  constructor(folder: string, database: Pick<DatabaseSync, 'prepare'>, stat: StatDisk = statfsSync) {
    this.#folder = folder;
    this.#stat = stat;
    const pages = database.prepare('PRAGMA freelist_count');
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
    this.#freeInFile = () => Number(pages.get()?.['freelist_count']) * size;
  }

  /** Why the operation cannot be carried out now; undefined where it can. */
  refusalOf(operation: string): NoRoomLeft | undefined {
    if (!GROWING.has(operation)) return undefined;
    if (performance.now() - this.#seenAt >= LOOK_MS) this.#look();
    return this.#finding;
  }

  /** Throws why events cannot be stored now. */
  require(): void {
    this.#look();
    if (this.#finding !== undefined) throw this.#finding;
  }

  #look(): void {
    const { free, size } = this.#room();
    const kept = Math.min(KEPT_BYTES, size * KEPT_SHARE);
    this.#finding = free < kept ? new NoRoomLeft(free, kept) : undefined;
    this.#seenAt = performance.now();
  }

  #room(): { readonly free: number; readonly size: number } {
    try {
      const { bavail, blocks, bsize } = this.#stat(this.#folder);
      return { free: bavail * bsize + this.#freeInFile(), size: blocks * bsize };
    } catch {
      // Who does not learn it goes on: what cannot be written then fails by itself.
      return { free: 0, size: 0 };
    }
  }
}
