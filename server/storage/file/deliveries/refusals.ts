import { workspaceOf } from '../../../model/resource-names.ts';
import type { DiskRoom, Room } from '../disk-room.ts';
import { messageOf } from '../../../thrown.ts';
import { NoRoomLeft, TooMuchOfDisk } from '../full-disk.ts';
import type { Verb } from '../../verbs.ts';
import type { Call, SqliteOperations } from './calls.ts';
import { isDamage } from './database.ts';
import type { StoredBytes } from './stored-bytes.ts';

/**
 * A workspace has at most so many times of what is left for events: alone, all but a sixteenth of the disk. Of a large disk, this much is
 * left to others in any case.
 */
const TIMES_LEFT = 15;
const LEFT_BYTES = 1_000_000_000;

type Growing = Extract<Verb, 'accept' | 'tell' | 'createReplay'>;

/** What stores events that were not there before, or as much, and a name of the workspace whose they are. */
const GROWING: { readonly [Name in Growing]: (argument: Parameters<SqliteOperations[Name]>[0]) => string | undefined } =
  {
    accept: ({ names: [source] }) => source,
    tell: ({ computation }) => computation,
    createReplay: ({ destination }) => destination,
  };

/**
 * Why new events are not stored. There is room on the disk that they do not get, or not those of a workspace that has nearly all of it
 * (SAFE-2): with the last of it everything would end that makes room again, or needs a little: the purge of old events, changes of the
 * configuration, the results of deliveries, and a start of the router. And a file that was found to be damaged gets no more of them:
 * who restores it from a copy would lose them (ING-10).
 */
export class Refusals {
  readonly #room: DiskRoom;
  readonly #bytes: Pick<StoredBytes, 'of'>;
  #damage: StoreDamaged | undefined;

  constructor(room: DiskRoom, bytes: Pick<StoredBytes, 'of'>) {
    [this.#room, this.#bytes] = [room, bytes];
  }

  /** What came in the way of a call. */
  met(error: unknown): void {
    if (isDamage(error)) this.#damage ??= new StoreDamaged(messageOf(error), { cause: error });
  }

  /** Why it cannot be carried out now; undefined where it can. */
  of(call: Call): StoreDamaged | NoRoomLeft | TooMuchOfDisk | undefined {
    if (!isGrowing(call.name)) return undefined;
    if (this.#damage !== undefined) return this.#damage;
    const room = this.#room.recent();
    return lackOf(room) ?? this.#tooMuch(room.free - room.kept, call.name, call.argument);
  }

  #tooMuch(left: number, name: Growing, argument: unknown): TooMuchOfDisk | undefined {
    if (left >= LEFT_BYTES) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side of the thread pairs names and arguments
    const of = (GROWING[name] as (argument: unknown) => string | undefined)(argument) ?? '';
    const stored = this.#bytes.of(of);
    return stored > TIMES_LEFT * left ? new TooMuchOfDisk(workspaceOf(of), { stored, left }) : undefined;
  }

  /** Throws why events cannot be stored now. */
  require(): void {
    if (this.#damage !== undefined) throw this.#damage;
    const lack = lackOf(this.#room.look());
    if (lack !== undefined) throw lack;
  }
}

/** Found while the router runs. */
class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged';

  constructor(finding: string, options: ErrorOptions) {
    super(`it is damaged (${finding}), and takes no more events: restore it from a copy`, options);
  }
}

function lackOf({ free, kept }: Room): NoRoomLeft | undefined {
  return free < kept ? new NoRoomLeft(free, kept) : undefined;
}

function isGrowing(name: string): name is Growing {
  return name in GROWING;
}
