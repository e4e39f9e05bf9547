import type { Destination } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import { calmMs } from './health.ts';

/** For how long what failed has worked, by steady time: since this router first saw it, as the wall can be set (HOOK-21). */
export class Calm {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #since = new Map<string, number>();
  /** What the present look has seen; the rest is forgotten at its end. */
  readonly #seen = new Set<string>();

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
  }

  /** Whether it has worked for long enough to be well. */
  isOver({ name, health }: Pick<Destination, 'name' | 'health'>): boolean {
    if (health?.works_since === undefined) return false;
    const [key, now] = [`${name} ${health.works_since}`, this.#clock.steady()];
    const since = this.#since.get(key) ?? now;
    this.#since.set(key, since);
    this.#seen.add(key);
    return now - since >= calmMs(health);
  }

  /** A look at everything has ended. */
  end(): void {
    for (const key of this.#since.keys()) if (!this.#seen.has(key)) this.#since.delete(key);
    this.#seen.clear();
  }
}
