import type { Clock } from '../ports/clock.ts';
import { type Place, UnderWay } from '../under-way.ts';

/** A call, and when it began. */
export type OpenCall = Place<number>;

/** Calls of storage under way of which claims may come, or that take claims away. */
export class OpenCalls {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #tracked = new UnderWay<Promise<void>>();
  /** When each began. */
  readonly #begun = new UnderWay<number>();
  #isUnanswered = false;
  #answeredAgain = 0;

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
  }

  begin(): OpenCall {
    return this.#begun.begin(this.#clock.steady());
  }

  end(call: OpenCall): void {
    this.#begun.end(call);
  }

  /** The same, until it ends. */
  async during<Answer>(call: Promise<Answer>): Promise<Answer> {
    const open = this.begin();
    try {
      const answer = await call;
      this.heard(true);
      return answer;
    } catch (error) {
      this.heard(false);
      throw error;
    } finally {
      this.end(open);
    }
  }

  /** To be told whether a call was answered. */
  heard(isAnswered: boolean): void {
    if (isAnswered && this.#isUnanswered) this.#answeredAgain += 1;
    this.#isUnanswered = !isAnswered;
  }

  /** How often one was answered after one that was not: what that took, nobody heard of. */
  get answeredAgain(): number {
    return this.#answeredAgain;
  }

  /** Begins one that ends by itself. */
  track(call: Promise<void>): void {
    const open = this.begin();
    const tracked = this.#tracked.begin(
      call.finally(() => {
        this.#tracked.end(tracked);
        this.end(open);
      }),
    );
  }

  /** Resolves when all that are tracked have ended; undefined when none is under way. */
  get tracked(): Promise<unknown> | undefined {
    const tracked = [...this.#tracked];
    return tracked.length > 0 ? Promise.all(tracked) : undefined;
  }

  /** When the oldest began; undefined without any. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined;
    for (const at of this.#begun) if (oldest === undefined || at < oldest) oldest = at;
    return oldest;
  }
}
