const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How long a run waits for what, as shares of its budget: all scenarios together fit into it. */
export class Times {
  /** For an event to come that was asked for. */
  readonly arrivalMs: number;
  /** Kept for what counts most: that the last event arrives, and that none is lost. */
  readonly reserveMs: number;
  /** In which one event fails again and again, to see when it is tried. */
  readonly scheduleMs: number;
  /** For a sender to give up an answer that does not end; nobody should wait longer than a minute. */
  readonly holdMs: number;
  /** The longest wait for a retry, and for one that ought not to come. */
  readonly longestMs: number;
  /** What the sender promises. */
  readonly promisedMs: number | undefined;
  /** How long the first retry took; set once it was seen. */
  firstWaitMs: number | undefined;
  readonly #budgetMs: number;

  constructor(budgetMs: number, promisedMs?: number) {
    this.#budgetMs = budgetMs;
    this.arrivalMs = Math.min(MINUTE, budgetMs / 10);
    // The scenario before may end a little late, by its trigger.
    this.reserveMs = this.arrivalMs * 1.2;
    this.scheduleMs = budgetMs * 0.3;
    this.holdMs = Math.min(MINUTE, budgetMs / 8);
    this.longestMs = budgetMs / 10;
    this.promisedMs = promisedMs;
  }

  /** How long to wait for a retry: what is promised, or some times what the first one took. */
  get retryMs(): number {
    return Math.max(this.promisedMs ?? 0, Math.min(this.longestMs, 3 * (this.firstWaitMs ?? this.#shortMs) + SECOND));
  }

  /** How long to wait to see that no retry comes. */
  get quietMs(): number {
    return Math.min(this.longestMs, 1.5 * (this.firstWaitMs ?? this.#shortMs));
  }

  /** In whole seconds: longer than the first retry took by itself, so that it shows whether it is kept to. */
  get askedMs(): number {
    const wanted = Math.ceil((2 * (this.firstWaitMs ?? SECOND)) / SECOND) * SECOND;
    return Math.min(wanted, Math.max(SECOND, Math.floor(this.longestMs / SECOND) * SECOND));
  }

  get #shortMs(): number {
    return this.#budgetMs / 60;
  }
}
