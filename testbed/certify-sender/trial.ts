import type { ReceiverClock } from '../receiver/receiver-clock.ts';
import type { Scheme } from '../schemes/scheme.ts';
import type { Desk } from './desk.ts';
import type { Plan, Sent, TriedEvent } from './sent.ts';
import type { Stand } from './stand.ts';
import type { Times } from './times.ts';

/** What a trigger is told of the event that it makes. */
export interface Asked {
  /** Where the event is to be sent, for senders that are told with each event: a path of its own. */
  readonly url: string;
  readonly mark: string;
  /** From 1. */
  readonly number: number;
}

/** Makes the sender send one event. Rejects when it could not be asked. */
export type Trigger = (asked: Asked) => Promise<void>;

/** What the sender is said to keep to, beside its retries; what is not said is not judged. */
export interface Promised {
  /** Requests in a second, evenly. */
  readonly maxPerSecond?: number | undefined;
  /** Events come one after the other, as they were asked for. */
  readonly isOrdered: boolean;
}

export interface TrialParts {
  readonly clock: ReceiverClock;
  readonly desk: Desk;
  readonly stand: Stand;
  readonly trigger: Trigger;
  readonly times: Times;
  readonly promised: Promised;
  /** By the clock. */
  readonly endsAt: number;
  readonly scheme?: Scheme | undefined;
  readonly secret?: string | undefined;
}

/** What scenarios see of a sender: they ask for events, and wait for what comes of them. */
export class Trial {
  readonly desk: Desk;
  readonly stand: Stand;
  readonly times: Times;
  readonly promised: Promised;
  readonly scheme: Scheme | undefined;
  readonly secret: string | undefined;
  readonly #parts: TrialParts;
  #scenario = '';
  /** Of the budget, what is kept for the last scenarios; none from when they begin. */
  #reserveMs: number;

  constructor(parts: TrialParts) {
    this.#parts = parts;
    this.desk = parts.desk;
    this.stand = parts.stand;
    this.times = parts.times;
    this.promised = parts.promised;
    this.scheme = parts.scheme;
    this.secret = parts.secret;
    this.#reserveMs = parts.times.reserveMs;
  }

  now(): number {
    return this.#parts.clock.now();
  }

  get leftMs(): number {
    return Math.max(0, this.#parts.endsAt - this.#reserveMs - this.now());
  }

  /** What is asked for from here on is of this scenario; what earlier ones left is answered well. */
  begin(scenario: string): void {
    this.#scenario = scenario;
    this.stand.release();
    for (const event of this.desk.events) event.plan = () => '200';
  }

  /** From here on there is all that is left of the budget. */
  useReserve(): void {
    this.#reserveMs = 0;
  }

  /** Asks the sender for one event. Resolves when it was asked; the event may come before that. */
  async ask(plan: Plan): Promise<TriedEvent> {
    const event = this.desk.expect(this.#scenario, this.now(), plan);
    const { url } = this.stand;
    const path = url.endsWith('/') ? url : `${url}/`;
    try {
      await this.#parts.trigger({ url: path + event.mark, mark: event.mark, number: this.desk.events.length });
      event.madeAt = this.now();
    } catch (error) {
      this.desk.forget(event);
      throw error;
    }
    return event;
  }

  /** Asks for an event, and waits until it has come; answers its first attempt too. */
  async askAndMeet(plan: Plan): Promise<{ readonly event: TriedEvent; readonly first: Sent | undefined }> {
    const event = await this.ask(plan);
    await this.until(() => event.attempts.length > 0, this.times.arrivalMs);
    return { event, first: event.attempts[0] };
  }

  /** Asks for so many events at once. */
  async askMany(count: number, plan: Plan): Promise<readonly TriedEvent[]> {
    return Promise.all(Array.from({ length: count }, async () => this.ask(plan)));
  }

  /** How far apart requests are by the promised limit; 0 without one. */
  get gapMs(): number {
    return this.promised.maxPerSecond === undefined ? 0 : 1_000 / this.promised.maxPerSecond;
  }

  /** Whether it became true within that time, or before the budget was over. */
  async until(check: () => boolean, withinMs: number): Promise<boolean> {
    if (check()) return true;
    const over = new AbortController();
    const unwatch = this.desk.watch(() => {
      if (check()) over.abort();
    });
    try {
      await this.#parts.clock.sleep(Math.min(withinMs, this.leftMs), over.signal);
      return check();
    } finally {
      unwatch();
      over.abort();
    }
  }

  eventsOf(scenario: string): readonly TriedEvent[] {
    return this.desk.events.filter((event) => event.scenario === scenario);
  }
}
