import { clearInterval, setInterval } from 'node:timers';

/** How often it looks. */
const BEAT_MS = 20;
/** What was held up is worked off within this. */
const REMEMBERED_MS = 1_000;

/**
 * How late this process may have seen what came: a beat that was late says that it was busy, or not given a processor.
 */
export class Lateness {
  #timer: NodeJS.Timeout | undefined;
  /** When the next beat is due. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** Beats that were late, the oldest first. */
  #late: readonly { readonly at: number; readonly ms: number }[] = [];

  /** From here on, until it is closed. */
  begin(): void {
    this.#dueAt = performance.now() + BEAT_MS;
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  get ms(): number {
    const now = performance.now();
    return Math.ceil(Math.max(0, now - this.#dueAt, ...this.#recent(now).map(({ ms }) => ms)));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #beat(): void {
    const now = performance.now();
    const ms = now - this.#dueAt;
    this.#late = ms > 1 ? [...this.#recent(now), { at: now, ms }] : this.#recent(now);
    this.#dueAt = now + BEAT_MS;
  }

  #recent(now: number): readonly { readonly at: number; readonly ms: number }[] {
    return this.#late.filter(({ at }) => at > now - REMEMBERED_MS);
  }
}
