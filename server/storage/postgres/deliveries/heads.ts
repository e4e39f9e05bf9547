import type { DatabaseTime } from '../time.ts';

/** How long what a whole look found holds. As often, routers read again what waits, for want of a word that was lost. */
const HOLDS_MS = 60_000;
/**
 * Who puts something in a queue dates it with about now, by a clock that is about the database's, and is done within the time
 * of a statement: so much may come before what a look has found.
 */
const MARGIN_MS = 10_000;
/** So many destinations are kept in mind. */
const MAX_HEADS = 10_000;

/** What a whole look at the queue of a destination has found. */
interface Head {
  readonly lookedAt: number;
  /** Nothing that is due earlier was left. */
  dueAt: number;
  /** When the oldest was accepted, or a moment before; also of what this router has put back since. */
  oldestAt: number;
}

/** What this router has put back of a destination since a whole look that has seen all of it. */
interface PutBack {
  /** When the last was, as a count. */
  readonly last: number;
  /** When the oldest was accepted. */
  readonly oldestAt: number;
}

/**
 * Where the queue of a destination begins. Rows that were taken stay in its index until they are vacuumed, and while anybody
 * holds a transaction open that is never: each look from the very beginning would read all of them once more. So a router looks
 * from where it found the queue to begin, and from the very beginning each minute, when it finds nothing, and after claims were
 * put back, which may be due long since. Times are the database's.
 */
export class Heads {
  readonly #heads = new Map<string, Head>();
  readonly #time: Pick<DatabaseTime, 'now'>;
  /** A look that began before may not have seen it. */
  readonly #putBack = new Map<string, PutBack>();
  /** How often something was put back. */
  #count = 0;
  /** Counts what makes looks that are under way too old. */
  #changes = 0;

  constructor(time: Pick<DatabaseTime, 'now'>) {
    this.#time = time;
  }

  /** From where to look; undefined for the very beginning. */
  of(destination: string): { readonly dueAt: number; readonly oldestAt: number } | undefined {
    const head = this.#heads.get(destination);
    if (head === undefined || this.#time.now() >= head.lookedAt + HOLDS_MS) return undefined;
    return { dueAt: head.dueAt, oldestAt: head.oldestAt };
  }

  /** A look begins; answers what to tell of what it has found, where it was a whole one, and where not. */
  look(destination: string): {
    readonly whole: (nextDueAt: number | null, oldestAt: number | null) => void;
    /** Without `oldestAt`, it did not look for the oldest. */
    readonly onward: (nextDueAt: number | null, oldestAt?: number | null) => void;
  } {
    const [lookedAt, changes, begun] = [this.#time.now(), this.#changes, this.#count];
    /** The oldest that it may not have seen. */
    const unseen = (): number | undefined => {
      const { last, oldestAt } = this.#putBack.get(destination) ?? { last: 0, oldestAt: 0 };
      return last > begun ? oldestAt : undefined;
    };
    const recently = lookedAt - MARGIN_MS;
    const after = (nextAt: number | null): number => Math.min(nextAt ?? recently, recently);
    return {
      whole: (nextDueAt, oldestAt) => {
        if (changes !== this.#changes) return;
        if (this.#heads.size >= MAX_HEADS) this.#heads.clear();
        const beside = unseen();
        if (beside === undefined) this.#putBack.delete(destination);
        const oldest = Math.min(oldestAt ?? recently, beside ?? Infinity);
        this.#heads.set(destination, { lookedAt, dueAt: after(nextDueAt), oldestAt: oldest });
      },
      onward: (nextDueAt, oldestAt) => {
        const head = this.#heads.get(destination);
        if (head === undefined || changes !== this.#changes) return;
        head.dueAt = Math.max(head.dueAt, after(nextDueAt));
        if (oldestAt !== undefined && unseen() === undefined) head.oldestAt = Math.max(head.oldestAt, after(oldestAt));
      },
    };
  }

  /** Something that was accepted then waits again. */
  postponed(destination: string, acceptedAt: number): void {
    const [head, before] = [this.#heads.get(destination), this.#putBack.get(destination)];
    if (head !== undefined) head.oldestAt = Math.min(head.oldestAt, acceptedAt);
    if (before === undefined && this.#putBack.size >= MAX_HEADS) {
      this.#putBack.clear();
      this.#changes += 1;
    }
    this.#count += 1;
    this.#putBack.set(destination, { last: this.#count, oldestAt: Math.min(before?.oldestAt ?? Infinity, acceptedAt) });
  }

  /** Something of any age may wait again, or is about to. */
  forget(): void {
    this.#changes += 1;
    this.#heads.clear();
    this.#putBack.clear();
  }
}
