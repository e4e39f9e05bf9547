import { workspaceOf } from '../model/resource-names.ts';
import { type Place, UnderWay } from '../under-way.ts';
import { ApiError } from './errors.ts';

/** What may be under way at once. */
export interface AdmissionLimits {
  /** Requests whose body is read, and that are not answered yet. */
  readonly requests: number;
  /** Bytes of bodies, as they came and inflated, of all requests that are not answered yet. */
  readonly bytes: number;
}

/** One request, from its arrival to its answer. */
export interface Stay {
  /** The body is about to be read. Its memory may be given to others; the request is then refused with the error. */
  read(onEvicted: (error: ApiError) => void): void;
  /** Counts bytes of the body as they arrive; throws ResourceExhausted when there is no room for them. */
  receive(bytes: number): void;
  /** The body is read. Counts bytes that the work on it takes, or gives some back; throws as `receive` does. */
  hold(bytes: number): void;
  /** The work begins; throws ResourceExhausted when too much is under way. */
  begin(): void;
  /** Called once, whatever happened. */
  end(): void;
}

/**
 * Refuses what is beyond the limits at once, instead of letting it gather. Those who are still sending count by what has
 * arrived of them, not by what they announce: so a sender that is slow, or never goes on, takes nobody's place.
 */
export interface Admission {
  /** Throws ResourceExhausted when nothing more can be taken up now. */
  enter(holder: Holder): Stay;
}

/** Senders that are turned away come back after this; as short as whole seconds allow, since stores catch up within it. */
const RETRY_AFTER_S = 1;

/** `steady` reads milliseconds that only go forward. */
export function createAdmission(limits: AdmissionLimits, steady: () => number): Admission {
  const memory = new SharedMemory(limits.bytes, steady);
  const places = new Places(limits.requests);
  return {
    enter(holder) {
      places.requireOne(workspaceOf(holder.id));
      const portion = memory.enter(holder);
      if (portion === undefined) throw overloaded();
      return new MeasuredStay(memory, portion, places);
    },
  };
}

/**
 * A workspace, or an address without a key, may have so many times of the places and of the memory as are free: however slow its
 * requests are, and however many sources it has, there is something for others.
 */
const TIMES_FREE = 4;

/** Of requests whose work has begun. */
class Places {
  readonly #most: number;
  readonly #takenBy = new Tally();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  requireOne(workspace: string): void {
    const free = this.#most - this.#taken;
    refuseWhen(this.#takenBy.of(workspace) >= TIMES_FREE * free);
  }

  take(workspace: string): void {
    this.requireOne(workspace);
    this.#count(workspace, 1);
  }

  giveBack(workspace: string): void {
    this.#count(workspace, -1);
  }

  #count(workspace: string, places: number): void {
    this.#taken += places;
    this.#takenBy.add(workspace, places);
  }
}

/**
 * Its methods are of its class: functions that were made for each request kept it, with its body, in the old generation until a full
 * collection. That was measured, 3 KB of each event; see under-way.ts for the other way to do so.
 */
class MeasuredStay implements Stay {
  readonly #memory: SharedMemory;
  readonly #portion: Portion;
  readonly #places: Places;
  #hasBegun = false;

  constructor(memory: SharedMemory, portion: Portion, places: Places) {
    this.#memory = memory;
    this.#portion = portion;
    this.#places = places;
  }

  read(onEvicted: (error: ApiError) => void): void {
    this.#portion.onEvicted = onEvicted;
  }

  receive(bytes: number): void {
    refuseWhen(!this.#memory.receive(this.#portion, bytes));
  }

  hold(bytes: number): void {
    this.#memory.stopReading(this.#portion);
    refuseWhen(!this.#memory.hold(this.#portion, bytes));
  }

  begin(): void {
    this.#memory.stopReading(this.#portion);
    this.#places.take(this.#portion.workspace);
    this.#hasBegun = true;
  }

  end(): void {
    this.#memory.leave(this.#portion);
    if (this.#hasBegun) this.#places.giveBack(this.#portion.workspace);
  }
}

function refuseWhen(isOver: boolean): void {
  if (isOver) throw overloaded();
}

function overloaded(options: { readonly endsConnection?: boolean } = {}): ApiError {
  const message = 'server overloaded; retry later';
  return new ApiError('ResourceExhausted', message, { retryAfterS: RETRY_AFTER_S, ...options });
}

/** On whose account a request takes memory: the source of the valid key in its header, else the address it comes from. */
export interface Holder {
  readonly id: string;
  readonly hasKey: boolean;
}

/** A sender that sends nothing for so long is late … */
const GRACE_MS = 5_000;
/** … and so is, after a while, one that sends less: the largest body would not arrive within `--request-timeout`. */
const LEAST_BYTES_PER_MS = 8;

/** Of the memory, what holders without a key may take together. */
const KEYLESS_SHARE = 0.5;

/** So many holders are listed, or twice as many as have something. */
const LISTED = 1_000;

/** What each holder has. Those that have nothing are listed until they are many: they mostly come again. */
class Tally {
  readonly #had = new Map<string, number>();
  #mostListed = LISTED;

  of(holder: string): number {
    return this.#had.get(holder) ?? 0;
  }

  add(holder: string, more: number): void {
    this.#had.set(holder, this.of(holder) + more);
    if (this.#had.size > this.#mostListed) this.#forgetIdle();
  }

  #forgetIdle(): void {
    for (const [holder, had] of this.#had) if (had === 0) this.#had.delete(holder);
    this.#mostListed = Math.max(LISTED, 2 * this.#had.size);
  }
}

/** The memory that one request takes. */
export class Portion {
  readonly holder: Holder;
  readonly workspace: string;
  bytes = 0;
  /** From then on the sender is late; what arrives puts it off. */
  dueAt: number;
  /** Set while the body is read: called when the memory was given to others. */
  onEvicted: ((error: ApiError) => void) | undefined;
  /** Among those whose body is still read. */
  place: Place<Portion> | undefined;

  constructor(holder: Holder, now: number) {
    this.holder = holder;
    this.workspace = workspaceOf(holder.id);
    this.dueAt = now + GRACE_MS;
  }
}

/**
 * A number of bytes that requests share fairly. A workspace may take a share of what is free; holders without a key no more than theirs
 * together. Where there is no room, the slowest sender gives way, out of those that are late, those whose workspace has more, and in one
 * workspace those whose holder has more. A holder without a key takes nothing from one with a key that is not late.
 */
export class SharedMemory {
  readonly #limit: number;
  readonly #steady: () => number;
  /** Of bodies that are still read. */
  readonly #reading = new UnderWay<Portion>();
  /** By the id of the holder … */
  readonly #held = new Tally();
  /** … and by its workspace. */
  readonly #heldInAll = new Tally();
  #bytes = 0;
  #keylessBytes = 0;

  /** `steady` reads milliseconds that only go forward. */
  constructor(limit: number, steady: () => number) {
    this.#limit = limit;
    this.#steady = steady;
  }

  /** An empty portion; undefined when there is no room for a single byte. */
  enter(holder: Holder): Portion | undefined {
    const portion = new Portion(holder, this.#steady());
    return this.#makeRoom(portion, 1) ? portion : undefined;
  }

  /** Adds bytes of a body as they arrive; false when there is no room for them. */
  receive(portion: Portion, bytes: number): boolean {
    const now = this.#steady();
    // What was sent fast earns no time to send nothing.
    portion.dueAt = Math.min(now + GRACE_MS, portion.dueAt + bytes / LEAST_BYTES_PER_MS);
    if (!this.hold(portion, bytes)) return false;
    portion.place ??= this.#reading.begin(portion);
    return true;
  }

  /** The body is read: from here on its memory is in use, and given to nobody. */
  stopReading(portion: Portion): void {
    if (portion.place !== undefined) this.#reading.end(portion.place);
    portion.place = undefined;
  }

  /** Adds bytes, or gives some back; false when there is no room for them. */
  hold(portion: Portion, bytes: number): boolean {
    if (bytes > 0 && !this.#makeRoom(portion, bytes)) return false;
    this.#count(portion, bytes);
    return true;
  }

  leave(portion: Portion): void {
    this.stopReading(portion);
    this.#count(portion, -portion.bytes);
  }

  #makeRoom(portion: Portion, bytes: number): boolean {
    while (!this.#fits(portion, bytes)) {
      const slowest = this.#slowest(portion, bytes);
      if (slowest === undefined) return false;
      this.leave(slowest);
      slowest.onEvicted?.(overloaded({ endsConnection: true }));
    }
    return true;
  }

  #fits({ holder, workspace }: Portion, bytes: number): boolean {
    const free = this.#limit - this.#bytes;
    const isWithinShare = this.#heldInAll.of(workspace) < TIMES_FREE * free;
    return bytes <= free && isWithinShare && (holder.hasKey || this.#keylessFits(bytes));
  }

  #keylessFits(bytes: number): boolean {
    return this.#keylessBytes + bytes <= this.#limit * KEYLESS_SHARE;
  }

  /** The one that gives way, of those that may have to. */
  #slowest(asking: Portion, bytes: number): Portion | undefined {
    const now = this.#steady();
    const { hasKey } = asking.holder;
    const hasMore = (other: Portion): boolean =>
      other.workspace === asking.workspace
        ? this.#held.of(other.holder.id) > this.#held.of(asking.holder.id) + bytes
        : this.#heldInAll.of(other.workspace) > this.#heldInAll.of(asking.workspace) + bytes;
    // Where the share of holders without a key is full, memory of others is of no use.
    const isOfUse = ({ holder }: Portion): boolean => hasKey || !holder.hasKey || this.#keylessFits(bytes);
    const givesWay = (portion: Portion): boolean =>
      portion.dueAt < now || (hasMore(portion) && (hasKey || !portion.holder.hasKey));
    let slowest: Portion | undefined;
    for (const portion of this.#reading) {
      if (portion.dueAt >= (slowest?.dueAt ?? Infinity) || portion === asking) continue;
      if (isOfUse(portion) && givesWay(portion)) slowest = portion;
    }
    return slowest;
  }

  #count(portion: Portion, bytes: number): void {
    const { holder, workspace } = portion;
    portion.bytes += bytes;
    this.#bytes += bytes;
    if (!holder.hasKey) this.#keylessBytes += bytes;
    this.#held.add(holder.id, bytes);
    this.#heldInAll.add(workspace, bytes);
  }
}
