import type { Clock } from '../ports/clock.ts';

/** Calls of storage under way of which claims may come, or that take claims away. */
export class OpenCalls {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #tracked = new Set<Promise<void>>();
  /** With when each began: the oldest first. */
  readonly #begun = new Map<object, number>();

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
  }

  begin(call: object): void {
    this.#begun.set(call, this.#clock.steady());
  }

  end(call: object): void {
    this.#begun.delete(call);
  }

  /** The same, until it ends. */
  async during<Answer>(call: Promise<Answer>): Promise<Answer> {
    this.begin(call);
    return call.finally(() => this.end(call));
  }

  /** Begins one that ends by itself. */
  track(call: Promise<void>): void {
    const tracked = call.finally(() => {
      this.#tracked.delete(tracked);
      this.end(tracked);
    });
    this.#tracked.add(tracked);
    this.begin(tracked);
  }

  /** Resolves when all that are tracked have ended; undefined when none is under way. */
  get tracked(): Promise<unknown> | undefined {
    return this.#tracked.size > 0 ? Promise.all(this.#tracked) : undefined;
  }

  /** When the oldest began; undefined without any. */
  get oldestAt(): number | undefined {
    return this.#begun.values().next().value;
  }
}
