import type { Clock } from '../ports/clock.ts';
import type { Claim, RoundRecord } from '../model/delivery.ts';
import type { DeliveryStorage, Recorded } from '../storage/delivery-storage.ts';
import type { Log } from '../ports/log.ts';
import { NotStorable } from '../storage/errors.ts';
import { type RefusedRow, storeInHalves } from '../storage/in-halves.ts';
import { messageOf } from '../thrown.ts';

/** How long after a failure storage is asked again. */
const PAUSE_MS = 1_000;
/** The maximum of unwritten rounds, beyond which nothing is sent: it bounds what a crash makes receivers see twice. */
const HIGH_WATER = 2_000;

/** What a round did, and when its event was accepted: whoever waits for its next try needs to know. */
export interface RecordedRound extends RoundRecord {
  readonly receivedAt: number;
}

/** Who is told of each round that counts, once it is recorded. */
export interface RoundWatcher {
  ended(round: RoundRecord): void;
}

/** Told of rounds that count, and of what was taken in their place. */
export type OnRecorded = (rounds: readonly RecordedRound[], next: readonly Claim[]) => void;

/** Waits for what is under way, and for what follows from it, until nothing is or `signal` aborts. */
export async function ended(underWay: () => Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (let work = underWay(); work !== undefined && !signal.aborted; work = underWay()) {
    await Promise.race([work, aborted]);
  }
}

/**
 * Records what rounds did, many at a time. Storage that cannot write is asked again until it can: a round that was sent
 * is never forgotten while the process lives. One that it refuses holds up no others.
 */
export class Recorder {
  readonly #store: Pick<DeliveryStorage, 'record'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onStored: OnRecorded;
  #waiting: RecordedRound[] = [];
  /** What is being written. No `Set`: each event passes through it (`UnderWay`). */
  #underWay: readonly RecordedRound[] = [];
  /** What storage refuses while it takes others: these deliveries stay held, and are free once this life is over. */
  readonly #refused: RecordedRound[] = [];
  /** Set while a write is under way or being repeated. */
  #writing: Promise<void> | undefined;

  constructor(ports: { store: Pick<DeliveryStorage, 'record'>; clock: Clock; log: Log }, onStored: OnRecorded) {
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#log = ports.log;
    this.#onStored = onStored;
  }

  get isBehind(): boolean {
    return this.#refused.length + this.#underWay.length + this.#waiting.length >= HIGH_WATER;
  }

  unwritten(): readonly RecordedRound[] {
    return [...this.#refused, ...this.#underWay, ...this.#waiting];
  }

  add(record: RecordedRound): void {
    this.#waiting.push(record);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything added so far is on disk, or `signal` aborts. */
  async drained(signal: AbortSignal): Promise<void> {
    await ended(() => this.#writing, signal);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const rounds = this.#waiting;
      this.#waiting = [];
      this.#underWay = rounds;
      const { refused, untried } = await storeInHalves(rounds, (some) => this.#write(some, some));
      const left = refused.length === 0 ? [] : await this.#writeBare(refused);
      this.#underWay = [];
      const isAnyStored = left.length + untried.length < rounds.length;
      if (isAnyStored) this.#refused.push(...left);
      // Behind the others: of these some may be stored.
      else this.#waiting.push(...left);
      this.#waiting.unshift(...untried);
      if (!isAnyStored) await this.#clock.sleep(PAUSE_MS);
    }
    this.#writing = undefined;
  }

  /** Without their attempts, which hold what receivers answered. Answers what is not stored nevertheless. */
  async #writeBare(refused: readonly RefusedRow<RecordedRound>[]): Promise<readonly RecordedRound[]> {
    const bare = await storeInHalves(
      refused.map(({ row }) => row),
      (some) =>
        this.#write(
          some,
          some.map((round) => ({ ...round, attempts: [] })),
        ),
    );
    const left = [...bare.refused.map(({ row }) => row), ...bare.untried];
    const [first] = refused;
    const fields = { rounds: refused.length, kept: left.length, destination: first?.row.destination };
    this.#log.error(
      { ...fields, reason: first?.reason },
      'rounds were refused: recorded without their attempts, or kept in memory',
    );
    return left;
  }

  async #write(rounds: readonly RecordedRound[], as: readonly RecordedRound[]): Promise<void> {
    const { refused, next } = await this.#record(as);
    this.#underWay = without(this.#underWay, rounds);
    const isRefused = new Set(refused);
    const counted = as.filter((_, index) => !isRefused.has(index));
    this.#onStored(counted, next);
  }

  async #record(rounds: readonly RecordedRound[]): Promise<Recorded> {
    for (;;) {
      try {
        return await this.#store.record(rounds);
      } catch (error) {
        if (error instanceof NotStorable) throw error;
        const reason = messageOf(error);
        this.#log.error({ rounds: rounds.length, reason }, 'rounds could not be recorded; trying again');
        await this.#clock.sleep(PAUSE_MS);
      }
    }
  }
}

/** Most often it is all of them. */
function without(all: readonly RecordedRound[], some: readonly RecordedRound[]): readonly RecordedRound[] {
  if (all.length === some.length) return [];
  const gone = new Set(some);
  return all.filter((round) => !gone.has(round));
}
