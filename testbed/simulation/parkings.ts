import type { Clock } from '../../server/ports/clock.ts';
import type { Log } from '../../server/ports/log.ts';

/** A span in which a destination was parked; without an end it still is. */
export interface Parking {
  readonly destination: string;
  readonly from: number;
  readonly to?: number;
}

/** Learns from the engine's log when destinations are parked: nothing else of it says so to the outside. */
export class Parkings {
  readonly #clock: Clock;
  #all: readonly Parking[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get all(): readonly Parking[] {
    return this.#all;
  }

  /** The router ended: the next one knows of no parking. */
  restarted(): void {
    const now = this.#clock.steady();
    this.#all = this.#all.map((one) => ended(one, one.destination, now));
  }

  get log(): Log {
    const listen = (fields: Readonly<Record<string, unknown>>, message: string): void => this.#listen(fields, message);
    return { debug: listen, info: listen, warn: listen, error: listen };
  }

  #listen({ destination }: Readonly<Record<string, unknown>>, message: string): void {
    if (typeof destination !== 'string') return;
    const now = this.#clock.steady();
    if (message === 'destination parked after failed rounds') this.#all = [...this.#all, { destination, from: now }];
    if (message === 'destination has recovered') this.#all = this.#all.map((one) => ended(one, destination, now));
  }
}

function ended(parking: Parking, destination: string, at: number): Parking {
  return parking.destination === destination && parking.to === undefined ? { ...parking, to: at } : parking;
}
