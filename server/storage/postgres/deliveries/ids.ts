import type { Database } from '../connection/database.ts';
import { keeps } from '../connection/statement.ts';

const DAY_MS = 86_400_000;
/** The day stands above so many bits of a number; ids stay below 2^53 until 2059. */
const NUMBER_BITS = 38;
/** So many numbers a router takes at a time. The sequence counts blocks, and begins anew after 2^22. */
const BLOCK = 2 ** 16;

const TAKE_BLOCKS = keeps('take_id_blocks', "SELECT nextval('ids') AS block FROM generate_series(1, $1)");

/** The day on which an id was made, since the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** The first id of a day. */
export function firstIdOf(day: number): number {
  return day * 2 ** NUMBER_BITS;
}

/**
 * Ids that no router gives twice: the day of the database in the high bits, and below a number of a block that this router
 * took. So ids are known before anything is stored, and asking again stores under the same.
 */
export class Ids {
  readonly #database: Pick<Database, 'run' | 'timeline'>;
  /** Ranges of numbers, from the oldest block. */
  #ranges: { next: number; readonly end: number }[] = [];
  #taking: Promise<void> | undefined;
  /** Of the server that gave them. */
  #timeline = 0;

  constructor(database: Pick<Database, 'run' | 'timeline'>) {
    this.#database = database;
  }

  /**
   * Reserves an id of this day for each of `counts` things that get so many. The function that it answers gives the first of
   * so many that follow each other, once for each.
   */
  async reserve(counts: readonly number[], day: number): Promise<(count: number) => number> {
    const [sum, largest] = [counts.reduce((total, count) => total + count, 0), Math.max(...counts)];
    // What is left at the end of a range may be too short for the next.
    const needed = sum + largest * (Math.ceil(sum / BLOCK) + 2);
    while (this.#leftNow() < needed) await (this.#taking ??= this.#take(needed));
    if (this.#leftNow() - needed < BLOCK / 2) this.#takeAhead();
    const reserved = this.#cut(needed);
    return (count) => {
      while (reserved[0] !== undefined && reserved[0].end - reserved[0].next < count) reserved.shift();
      const [range] = reserved;
      if (range === undefined) throw new Error('more ids were asked for than were reserved');
      range.next += count;
      return firstIdOf(day) + range.next - count;
    };
  }

  /** Takes new ones from now on: somebody else has some of these. */
  forget(): void {
    this.#ranges = [];
  }

  /** A server that has taken over may give them to others. */
  #leftNow(): number {
    const timeline = this.#database.timeline();
    if (timeline !== this.#timeline) this.forget();
    this.#timeline = timeline;
    return this.#ranges.reduce((sum, { next, end }) => sum + end - next, 0);
  }

  #cut(count: number): { next: number; end: number }[] {
    const cut: { next: number; end: number }[] = [];
    let left = count;
    for (const range of this.#ranges) {
      const end = Math.min(range.end, range.next + left);
      cut.push({ next: range.next, end });
      left -= end - range.next;
      range.next = end;
    }
    this.#ranges = this.#ranges.filter(({ next, end }) => next < end);
    return cut;
  }

  /** Nobody waits for it; who runs out of ids takes them itself. */
  #takeAhead(): void {
    this.#taking ??= this.#take(1);
    this.#taking.catch(() => undefined);
  }

  async #take(count: number): Promise<void> {
    const timeline = this.#database.timeline();
    try {
      const rows = await this.#database.run<{ readonly block: number }>(TAKE_BLOCKS, [Math.ceil(count / BLOCK)]);
      if (timeline === this.#database.timeline())
        for (const { block } of rows) this.#ranges.push({ next: block * BLOCK, end: (block + 1) * BLOCK });
    } finally {
      this.#taking = undefined;
    }
  }
}
