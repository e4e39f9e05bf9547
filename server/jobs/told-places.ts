import { compareUsers } from '../audiences/user-order.ts';
import { DoublingWait } from './doubling-wait.ts';

/** Who is being sent an earlier value is looked for so much later, and then more rarely. */
const IN_FLIGHT_MS = { first: 2_000, longest: 10_000 };

/** How far a destination was told. */
interface Place {
  /** Up to this user … */
  readonly after: string;
  /** … and how many of those were told nothing. */
  readonly leftOut: number;
}

/** Users of a destination behind one of them. */
export interface Range extends Partial<Place> {
  readonly destination: string;
  /** The last of them; absent where all behind are meant. */
  readonly upTo?: string | undefined;
}

interface Compared {
  readonly upTo: string | undefined;
  readonly isHeld: boolean;
  /** How many of the page were told nothing. */
  readonly leftOut: number;
}

/**
 * How far the destinations of one sync were told, and where users were held back. Lost with the process: users are compared once
 * more then, and the next run tells who was held back.
 */
export class ToldPlaces {
  /** The last user that each destination was told, or was to be told. */
  readonly #reached = new Map<string, Place>();
  /** Where users were held back, and are to be looked for now: the first is looked at. */
  #round: Range[] = [];
  /** … and in the next round. */
  #later: Range[] = [];
  readonly #wait = new DoublingWait(IN_FLIGHT_MS);
  /** Undefined until the first page. */
  #erasures: number | undefined;

  /** Whether nobody was erased since the page before. Otherwise what was read of the sync before this page may name one who is gone. */
  isUpToDate(erasures: number): boolean {
    const isSame = this.#erasures === erasures;
    this.#erasures = erasures;
    return isSame;
  }

  /** What of a destination is to be compared next; `stored`: how far it was told, as its sync says. */
  behind(destination: string, stored?: Place): Range {
    if (stored !== undefined) this.#reached.set(destination, stored);
    return { destination, ...this.#reached.get(destination) };
  }

  /** It was compared up to this user, or to its end. Those of it who are held back are looked for once more. */
  compared(range: Range, { upTo, isHeld, leftOut }: Compared): void {
    if (isHeld) this.#later.push({ ...range, upTo });
    if (range !== this.#round[0]) {
      const before = range.leftOut ?? 0;
      if (upTo !== undefined) this.#reached.set(range.destination, { after: upTo, leftOut: before + leftOut });
      return;
    }
    // Whom the sync has told since makes the page shorter than that in which somebody was held back.
    const isWhole = upTo === undefined || (range.upTo !== undefined && compareUsers(upTo, range.upTo) >= 0);
    if (isWhole) this.#round.shift();
    else this.#round[0] = { ...range, after: upTo };
  }

  /** Where to look for users who were held back, before any wait. It stays until it was compared, or is passed over. */
  heldBack(): Range | undefined {
    return this.#round[0];
  }

  passOver(how: 'for now' | 'for good'): void {
    const range = this.#round.shift();
    if (range !== undefined && how === 'for now') this.#later.push(range);
  }

  /**
   * How long to wait before all places are looked at once more; undefined where nobody is held back. There is no last round: a call
   * may wait behind a thousand others that its router has taken for a slow destination. A sync goes on until the next is due.
   */
  nextRoundMs(): number | undefined {
    if (this.#later.length === 0) return undefined;
    [this.#round, this.#later] = [this.#later, []];
    return this.#wait.next();
  }
}
