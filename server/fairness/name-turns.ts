import { DEFAULT_POLICY } from '../model/policy.ts';

/** A look-up that takes longer waits for a name server that is silent. */
const QUICK_MS = 1_000;
/** Whoever waited for longer is gone: no attempt lasts longer. */
const PATIENCE_MS = DEFAULT_POLICY.deadlineMs;
/** Of so many names it is known how long their last look-up took. */
const NAMES = 10_000;

/** What the last look-up of a name was. */
type Standing = 'quick' | 'unknown' | 'slow';

interface Waiting {
  readonly name: string;
  readonly since: number;
  readonly begin: () => void;
  readonly giveUp: (error: Error) => void;
}

interface NameTurnsOptions {
  /** So many look-ups are under way at once. */
  readonly places: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

/**
 * Which name is looked up next, where few can be at once and each holds its place for as long as its name server is silent. Names
 * that were quick the last time come first, and have half of the places to themselves; those that nobody knows come before those
 * that were slow. So whoever has names that no server answers for does not keep others from being looked up.
 */
export class NameTurns {
  readonly #places: number;
  readonly #now: () => number;
  readonly #standings = new Map<string, Standing>();
  /** Each in the order in which they came. */
  readonly #waiting: Readonly<Record<Standing, Waiting[]>> = { quick: [], unknown: [], slow: [] };
  #underWay = 0;
  /** Of these, names that were not quick. */
  #strangers = 0;

  constructor({ places, now = () => performance.now() }: NameTurnsOptions) {
    [this.#places, this.#now] = [places, now];
  }

  /** A name waits once at a time. Rejects with EAI_AGAIN where it waited for too long. */
  async take<Answer>(name: string, lookUp: () => Promise<Answer>): Promise<Answer> {
    const standing = this.#standings.get(name) ?? 'unknown';
    await this.#turn(name, standing);
    const begunAt = this.#now();
    try {
      return await lookUp();
    } finally {
      this.#note(name, this.#now() - begunAt > QUICK_MS ? 'slow' : 'quick');
      this.#underWay -= 1;
      if (standing !== 'quick') this.#strangers -= 1;
      this.#beginNext();
    }
  }

  #turn(name: string, standing: Standing): Promise<void> {
    return new Promise((begin, giveUp) => {
      this.#waiting[standing].push({ name, since: this.#now(), begin, giveUp });
      this.#beginNext();
    });
  }

  #beginNext(): void {
    this.#sendAway();
    const { quick, unknown, slow } = this.#waiting;
    while (this.#underWay < this.#places) {
      const known = quick.shift();
      const next = known ?? (this.#hasPlaceForStranger ? (unknown.shift() ?? slow.shift()) : undefined);
      if (next === undefined) return;
      this.#underWay += 1;
      if (known === undefined) this.#strangers += 1;
      next.begin();
    }
  }

  get #hasPlaceForStranger(): boolean {
    return this.#strangers < Math.max(1, Math.floor(this.#places / 2));
  }

  #sendAway(): void {
    const now = this.#now();
    for (const line of Object.values(this.#waiting)) {
      const left = line.findIndex(({ since }) => now - since <= PATIENCE_MS);
      for (const { name, giveUp } of line.splice(0, left === -1 ? line.length : left)) giveUp(tooLate(name));
    }
  }

  #note(name: string, standing: Standing): void {
    this.#standings.delete(name);
    this.#standings.set(name, standing);
    const [oldest] = this.#standings.keys();
    if (this.#standings.size > NAMES && oldest !== undefined) this.#standings.delete(oldest);
  }
}

function tooLate(name: string): Error {
  const words = `${name} was not looked up for ${PATIENCE_MS / 1_000} s, as name servers of other names are silent; UV_THREADPOOL_SIZE makes more look-ups at once`;
  return Object.assign(new Error(words), { code: 'EAI_AGAIN' });
}
