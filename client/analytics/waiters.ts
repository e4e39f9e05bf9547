import type { Clock } from './clock.ts';
import type { Item } from './item.ts';

/** How the items that a flush waited for ended. */
export interface Ended {
  readonly timedOut: boolean;
  readonly delivered: number;
  readonly failed: readonly Item[];
  /** Those that had not ended when the time was over. */
  readonly pending: number;
}

interface Waiter {
  /** Items up to this sequence are waited for. */
  readonly upTo: number;
  pending: number;
  delivered: number;
  readonly failed: Item[];
  readonly end: () => void;
}

/** Every flush waits for what was taken before it and for nothing later, however many of them overlap. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `held` items have not ended yet, the last of them `upTo`. The wait keeps a process alive: somebody awaits it. */
  wait(held: number, upTo: number, timeoutMs: number): Promise<Ended> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#waiters.delete(waiter);
        const { delivered, failed, pending } = waiter;
        resolve({ timedOut: pending > 0, delivered, failed, pending });
      };
      const waiter: Waiter = { upTo, pending: held, delivered: 0, failed: [], end };
      const cancel = this.#clock.after(timeoutMs, end, true);
      this.#waiters.add(waiter);
      if (held === 0) end();
    });
  }

  ended(items: readonly Item[], delivered: boolean): void {
    for (const waiter of this.#waiters) {
      const waitedFor = items.filter((item) => item.sequence <= waiter.upTo);
      waiter.pending -= waitedFor.length;
      if (delivered) waiter.delivered += waitedFor.length;
      // One by one: as arguments of one call a hundred thousand are too many.
      else for (const item of waitedFor) waiter.failed.push(item);
      if (waiter.pending === 0) waiter.end();
    }
  }
}
