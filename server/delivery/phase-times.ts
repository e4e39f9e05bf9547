import type { Phases } from '../ports/transport.ts';

export type Phase = 'connecting' | 'writing' | 'waiting' | 'reading';

const FIELDS = { connecting: 'connectMs', writing: 'sendMs', waiting: 'waitMs', reading: 'readMs' } as const;

/** Times the phases of one exchange, one after another (D-31). */
export class PhaseTimes {
  readonly #times: { -readonly [Field in keyof Phases]: number } = {};
  #since = performance.now();

  /** A phase has ended, and with it the time since the one before. */
  end(phase: Phase): void {
    const now = performance.now();
    this.#times[FIELDS[phase]] = Math.round(now - this.#since);
    this.#since = now;
  }

  get all(): Phases {
    return this.#times;
  }
}
