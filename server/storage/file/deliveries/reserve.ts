import { type StatsFs, statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { workspaceOf } from '../../../model/resources.ts';
import { NoRoomLeft, TooMuchOfDisk } from '../full-disk.ts';
import type { Verb } from '../../verbs.ts';
import type { Call, SqliteOperations } from './calls.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** So much of a disk is kept from events, and this share of a small one. */
const KEPT_BYTES = 100_000_000;
const KEPT_SHARE = 1 / 16;
/** How long what a disk told holds; on a fast one, some megabytes are written meanwhile. */
const LOOK_MS = 25;

/**
 * A workspace has at most so many times of what is left for events: alone, all but a sixteenth of the disk. Of a large disk, this much is
 * left to others in any case.
 */
const SHARE = 15;
const LEFT_BYTES = 1_000_000_000;

type Growing = Extract<Verb, 'accept' | 'tell'>;

/** What stores events that were not there before, and a name of the workspace whose they are. */
const GROWING: { readonly [Name in Growing]: (argument: Parameters<SqliteOperations[Name]>[0]) => string | undefined } =
  {
    accept: ({ names: [source] }) => source,
    tell: ({ computation }) => computation,
  };

export type StatDisk = (folder: string) => Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>;

/**
 * Room on the disk that new events do not get, or not those of a workspace that has nearly all of it (SAFE-2). With the last of it everything would end that makes room again, or needs a little: the
 * purge of old events, changes of the configuration, the results of deliveries, and a start of the router. Pages that are free in the
 * file are room as well: what was purged is not given back to the disk at once.
 */
export class Reserve {
  readonly #folder: string;
  readonly #stat: StatDisk;
  readonly #freeInFile: () => number;
  readonly #bytes: Pick<StoredBytes, 'of'>;
  #seenAt = -Infinity;
  /** For events. */
  #left = 0;
  #finding: NoRoomLeft | undefined;

  constructor(
    folder: string,
    database: Pick<DatabaseSync, 'prepare'>,
    bytes: Pick<StoredBytes, 'of'>,
    stat: StatDisk = statfsSync,
  ) {
    [this.#folder, this.#bytes, this.#stat] = [folder, bytes, stat];
    const pages = database.prepare('PRAGMA freelist_count');
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
    this.#freeInFile = () => Number(pages.get()?.['freelist_count']) * size;
  }

  /** Why it cannot be carried out now; undefined where it can. */
  refusalOf(call: Call): NoRoomLeft | TooMuchOfDisk | undefined {
    if (!isGrowing(call.name)) return undefined;
    if (performance.now() - this.#seenAt >= LOOK_MS) this.#look();
    return this.#finding ?? this.#tooMuch(call.name, call.argument);
  }

  #tooMuch(name: Growing, argument: unknown): TooMuchOfDisk | undefined {
    if (this.#left >= LEFT_BYTES) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side of the thread pairs names and arguments
    const of = (GROWING[name] as (argument: unknown) => string | undefined)(argument) ?? '';
    const stored = this.#bytes.of(of);
    return stored > SHARE * this.#left ? new TooMuchOfDisk(workspaceOf(of), { stored, left: this.#left }) : undefined;
  }

  /** Throws why events cannot be stored now. */
  require(): void {
    this.#look();
    if (this.#finding !== undefined) throw this.#finding;
  }

  #look(): void {
    const { free, size } = this.#room();
    const kept = Math.min(KEPT_BYTES, size * KEPT_SHARE);
    this.#left = free - kept;
    this.#finding = free < kept ? new NoRoomLeft(free, kept) : undefined;
    this.#seenAt = performance.now();
  }

  #room(): { readonly free: number; readonly size: number } {
    try {
      const { bavail, blocks, bsize } = this.#stat(this.#folder);
      return { free: bavail * bsize + this.#freeInFile(), size: blocks * bsize };
    } catch {
      // Who does not learn it goes on: what cannot be written then fails by itself.
      return { free: LEFT_BYTES, size: 0 };
    }
  }
}

function isGrowing(name: string): name is Growing {
  return name in GROWING;
}
