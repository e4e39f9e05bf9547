import type { Clock } from '../ports/clock.ts';
import { Alarm } from './alarm.ts';
import { type Moment, Timeline } from './timeline.ts';

interface Entry<Owner> extends Moment {
  readonly owner: Owner;
}

/** Alarms of many owners on one clock. What a ring costs follows from who is due, not from how many there are. */
export class Alarms<Owner> {
  readonly #clock: Clock;
  readonly #onRing: (owner: Owner) => void;
  readonly #alarm: Alarm;
  /** Also holds what was replaced by something earlier; it is passed over when its time comes. */
  readonly #entries = new Timeline<Entry<Owner>>();
  /** When each owner's alarm rings. */
  readonly #times = new Map<Owner, number>();
  #order = 0;

  constructor(clock: Clock, onRing: (owner: Owner) => void) {
    this.#clock = clock;
    this.#onRing = onRing;
    this.#alarm = new Alarm(clock, () => this.#ring());
  }

  has(owner: Owner): boolean {
    return this.#times.has(owner);
  }

  /** Rings once, at `at`, unless the owner's alarm rings earlier already. */
  setFor(owner: Owner, at: number): void {
    const set = this.#times.get(owner);
    if (set !== undefined && set <= at) return;
    this.#times.set(owner, at);
    this.#order += 1;
    this.#entries.add({ at, order: this.#order, owner });
    this.#alarm.setFor(at);
  }

  cancel(): void {
    this.#alarm.cancel();
  }

  #ring(): void {
    const now = this.#clock.steady();
    const due: Owner[] = [];
    for (let first = this.#entries.first; first !== undefined && first.at <= now; first = this.#entries.first) {
      this.#entries.take();
      if (this.#times.get(first.owner) !== first.at) continue;
      this.#times.delete(first.owner);
      due.push(first.owner);
    }
    const next = this.#entries.first;
    if (next !== undefined) this.#alarm.setFor(next.at);
    for (const owner of due) this.#onRing(owner);
  }
}
