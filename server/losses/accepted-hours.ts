import type { Event } from '../model/message.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CountStorage, HourlyAddition } from '../storage/delivery-log.ts';
import { OutcomeUnknown } from '../storage/errors.ts';
import { Repetition } from './repetition.ts';

/** How often what was accepted is stored. */
export const STORE_MS = 1_000;
const HOUR = 3_600_000;
const PREFIX = 'accepted:';

export interface AcceptedHoursPorts {
  readonly storage: CountStorage;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * How many events of each type a source sent in each hour, kept as long as the storage keeps counts. They are added up in
 * memory, and stored every second; no event waits for that. A killed process takes its last second with it. Life: `start`
 * once, `stop` once.
 */
export class AcceptedHours {
  readonly #ports: AcceptedHoursPorts;
  readonly #storing: Repetition;
  #pending = new Map<string, Pending>();
  #hasFailed = false;

  constructor(ports: AcceptedHoursPorts) {
    this.#ports = ports;
    this.#storing = new Repetition(ports.clock, STORE_MS, () => this.#store());
  }

  /** Events that come together are of one moment, and mostly alike: the sum of the one before is looked up for the first alone. */
  add(source: string, events: readonly Pick<Event, 'type' | 'receivedAt'>[]): void {
    let [last, sum]: [Pick<Event, 'type' | 'receivedAt'>?, Pending?] = [];
    for (const event of events) {
      if (sum === undefined || event.type !== last?.type || event.receivedAt !== last.receivedAt)
        sum = this.#sumOf(source, event);
      sum.count += 1;
      last = event;
    }
  }

  #sumOf(source: string, { type, receivedAt }: Pick<Event, 'type' | 'receivedAt'>): Pending {
    const key = `${receivedAt.slice(0, 13)} ${type} ${source}`;
    const sum = this.#pending.get(key) ?? newSum(source, type, receivedAt);
    this.#pending.set(key, sum);
    return sum;
  }

  start(): void {
    this.#storing.start();
  }

  /** Stores what is left, once. */
  stop(): Promise<void> {
    return this.#storing.stop();
  }

  async #store(): Promise<void> {
    if (this.#pending.size === 0) return;
    const { storage, log } = this.#ports;
    const stored = this.#pending;
    this.#pending = new Map();
    try {
      await storage.addCounts([...stored.values()]);
      if (this.#hasFailed) log.info({}, 'counts of accepted events are stored again');
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) log.warn({ reason: String(error) }, 'counts of accepted events are not stored, retrying');
      this.#hasFailed = true;
      // It may be stored: sent again it would count twice.
      if (!(error instanceof OutcomeUnknown)) this.#putBack(stored);
    }
  }

  #putBack(unstored: ReadonlyMap<string, Pending>): void {
    for (const [key, addition] of unstored) {
      addition.count += this.#pending.get(key)?.count ?? 0;
      this.#pending.set(key, addition);
    }
  }
}

/** It is counted up in place: every event passes here. */
interface Pending extends HourlyAddition {
  count: number;
}

function newSum(source: string, type: string, receivedAt: string): Pending {
  return { of: source, hour: Math.floor(Date.parse(receivedAt) / HOUR) * HOUR, what: `${PREFIX}${type}`, count: 0 };
}

/** The type that a stored count is of; undefined when it counts something else. */
export function acceptedTypeOf(what: string): string | undefined {
  return what.startsWith(PREFIX) ? what.slice(PREFIX.length) : undefined;
}
