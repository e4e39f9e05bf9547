import type { Clock } from '../ports/clock.ts';

/** Does something each time that so long has passed, and once more at the end. Life: `start` once, `stop` once. */
export class Repetition {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #everyMs: number;
  readonly #act: () => Promise<void>;
  readonly #abort = new AbortController();
  #loop: Promise<void> | undefined;

  /** `act` does not reject. */
  constructor(clock: Pick<Clock, 'sleep'>, everyMs: number, act: () => Promise<void>) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#act = act;
  }

  start(): void {
    this.#loop = this.#repeat();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    await this.#act();
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await this.#clock.sleep(this.#everyMs, signal);
      if (!signal.aborted) await this.#act();
    }
  }
}
