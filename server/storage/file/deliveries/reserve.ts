import type { DatabaseSync } from 'node:sqlite';
import { workspaceOf } from '../../../model/resources.ts';
import { DiskRoom, type StatDisk } from '../disk-room.ts';
import { NoRoomLeft, TooMuchOfDisk } from '../full-disk.ts';
import type { Verb } from '../../verbs.ts';
import type { Call, SqliteOperations } from './calls.ts';
import type { StoredBytes } from './stored-bytes.ts';

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

/**
 * Room on the disk that new events do not get, or not those of a workspace that has nearly all of it (SAFE-2). With the last of it
 * everything would end that makes room again, or needs a little: the purge of old events, changes of the configuration, the results of
 * deliveries, and a start of the router.
 */
export class Reserve {
  readonly #room: DiskRoom;
  readonly #bytes: Pick<StoredBytes, 'of'>;
  #seenAt = -Infinity;
  /** For events. */
  #left = 0;
  #finding: NoRoomLeft | undefined;

  constructor(
    folder: string,
    database: Pick<DatabaseSync, 'prepare'>,
    bytes: Pick<StoredBytes, 'of'>,
    stat?: StatDisk,
  ) {
    [this.#room, this.#bytes] = [new DiskRoom(folder, database, stat), bytes];
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
    const { free, kept } = this.#room.look();
    this.#left = free - kept;
    this.#finding = free < kept ? new NoRoomLeft(free, kept) : undefined;
    this.#seenAt = performance.now();
  }
}

function isGrowing(name: string): name is Growing {
  return name in GROWING;
}
