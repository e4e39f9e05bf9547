import { type StatsFs, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { NoRoomForRun, NoRoomLeft } from './full-disk.ts';

/** So much of a disk is kept for what must always go on, and this share of a small one. */
const KEPT_BYTES = 100_000_000;
const KEPT_SHARE = 1 / 16;

/** Shares of what is kept. */
const [LOT_LEAVES, REST_LEAVES] = [1.5, 0.5];

/** How long what a disk told is recent; on a fast one, some megabytes are written meanwhile. */
const RECENT_MS = 25;

/**
 * Of the process, as SQLite reads it: what is too large to sort in memory goes to files in the data folder, whose room is looked at.
 * Another place for temporary files may be small, or memory; what the operator set stays.
 */
export function sortIn(folder: string, environment: NodeJS.ProcessEnv): void {
  environment['SQLITE_TMPDIR'] ??= resolve(folder);
}

export type StatDisk = (folder: string) => Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>;

/** In bytes: what there is room for, and what of it is kept. */
export interface Room {
  readonly free: number;
  readonly kept: number;
}

/** Pages that are free in a file of SQLite are room as well: what was purged is not given back to the disk at once. */
export class DiskRoom {
  readonly #folder: string;
  readonly #stat: StatDisk;
  readonly #freeInFile: () => number;
  #last: Room = { free: 0, kept: 0 };
  #lookedAt = -Infinity;

  constructor(folder: string, database: Pick<DatabaseSync, 'prepare'>, stat: StatDisk = statfsSync) {
    [this.#folder, this.#stat] = [folder, stat];
    const pages = database.prepare('PRAGMA freelist_count');
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
    this.#freeInFile = () => Number(pages.get()?.['freelist_count']) * size;
  }

  look(): Room {
    this.#last = this.#seen();
    this.#lookedAt = performance.now();
    return this.#last;
  }

  /** For what is asked with each call. */
  recent(): Room {
    return performance.now() - this.#lookedAt < RECENT_MS ? this.#last : this.look();
  }

  #seen(): Room {
    try {
      const { bavail, blocks, bsize } = this.#stat(this.#folder);
      return { free: bavail * bsize + this.#freeInFile(), kept: Math.min(KEPT_BYTES, blocks * bsize * KEPT_SHARE) };
    } catch {
      // Who does not learn it goes on: what cannot be written then fails by itself.
      return { free: Infinity, kept: 0 };
    }
  }

  /**
   * Throws where no more is to be counted of events, which may take a hundred times the room of what was caught. A lot takes some megabytes,
   * and events of others are to have room behind it. The rest of what one workspace caught is one lot: a deletion of users that waits for
   * it gets half of what is kept.
   */
  requireForFold(isRest: boolean): void {
    const { free, kept } = this.look();
    const least = kept * (isRest ? REST_LEAVES : LOT_LEAVES);
    if (free < least) throw new NoRoomLeft(free, least, 'what is counted of events leaves');
  }

  /** Throws where a run that stores so much would take of what is kept. */
  requireForRun(bytes: number): void {
    const { free, kept } = this.look();
    if (free - bytes < kept) throw new NoRoomForRun(bytes, { free, kept });
  }
}
