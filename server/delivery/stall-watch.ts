import type { Clock } from '../ports/clock.ts';

/** How often the watch looks. */
const BEAT_MS = 250;
/** Who wakes later than this was not held up by the jitter of timers, or by the turns of others: the loop stood still. */
const MIN_STALL_MS = 250;

/**
 * Measures for how long the event loop stood still (a long computation, a starved machine, a paused process): a timer that
 * is late says so. Beats only while somebody watches.
 */
export class StallWatch {
  readonly #clock: Clock;
  #watchers = 0;
  #isBeating = false;
  /** When the beat under way should end. */
  #expectedAt = 0;
  /** The sum of all stalls that beats have found. */
  #stalledMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins to watch. Call what it answers once: that ends it, and tells for how long the loop stood still meanwhile. */
  begin(): () => number {
    const before = this.#total();
    this.#watchers += 1;
    if (!this.#isBeating) void this.#beat();
    return () => {
      this.#watchers -= 1;
      return this.#total() - before;
    };
  }

  /** With what the beat under way is late already: the timer of whoever asks may have come first. */
  #total(): number {
    return this.#stalledMs + (this.#isBeating ? this.#lateMs() : 0);
  }

  #lateMs(): number {
    const late = this.#clock.steady() - this.#expectedAt;
    return late < MIN_STALL_MS ? 0 : late;
  }

  async #beat(): Promise<void> {
    this.#isBeating = true;
    while (this.#watchers > 0) {
      this.#expectedAt = this.#clock.steady() + BEAT_MS;
      await this.#clock.sleep(BEAT_MS);
      this.#stalledMs += this.#lateMs();
    }
    this.#isBeating = false;
  }
}
