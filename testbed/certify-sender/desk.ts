import { play, BEGINNING, type Turn } from '../fault-script/player.ts';
import { toScript } from '../fault-script/script.ts';
import type { Ending } from '../receiver/exchange.ts';
import type { Arrival } from '../receiver/recorder.ts';
import { saidIn } from '../schemes/said.ts';
import type { Place } from '../schemes/scheme.ts';
import { isElsewhere, Marks } from './identity.ts';
import type { Plan, Sent, TriedEvent } from './sent.ts';

/** What is done about a request, for whoever carries it out. */
export interface Served {
  readonly turn: Turn;
  /** To be called once, when the exchange has ended. */
  readonly ended: (ending: Ending, at: number) => void;
}

export interface DeskOptions {
  /** A few letters and digits that no other run has. */
  readonly run: string;
  /** Where requests say which event they are. */
  readonly ids: readonly Place[];
}

const WELL = '200';

/**
 * Knows which request is of which event, and answers each by the plan of its event: so a sender that still tries the event
 * of an earlier scenario gets what belongs to that one.
 */
export class Desk {
  readonly events: TriedEvent[] = [];
  /** Requests of no event that was asked for. */
  readonly strays: Sent[] = [];
  readonly #marks: Marks;
  readonly #ids: readonly Place[];
  readonly #watchers = new Set<() => void>();
  #count = 0;

  constructor({ run, ids }: DeskOptions) {
    this.#marks = new Marks(run);
    this.#ids = ids;
  }

  /** All requests, in order of arrival, whatever they are of. */
  get sent(): readonly Sent[] {
    const all = this.events.flatMap(({ attempts, elsewhere }) => [...attempts, ...elsewhere]);
    return [...all, ...this.strays].toSorted((a, b) => a.number - b.number);
  }

  /** Whether the event of a request is known by its mark: by an id alone, the first attempts of two events may be confused. */
  isMarked(sent: Sent): boolean {
    return this.#marks.in(sent) !== undefined;
  }

  /** To be called before the event is asked for. */
  expect(scenario: string, askedAt: number, plan: Plan): TriedEvent {
    const event: TriedEvent = { mark: this.#marks.next(), scenario, askedAt, plan, attempts: [], elsewhere: [] };
    this.events.push(event);
    return event;
  }

  /** It could not be asked for. */
  forget(event: TriedEvent): void {
    this.events.splice(this.events.indexOf(event), 1);
  }

  /** A request was read to its end; it may have come so much earlier. */
  arrive(arrival: Arrival, lateMs = 0): Served {
    const event = this.#eventOf(arrival);
    const elsewhere = isElsewhere(arrival);
    const list = event === undefined ? this.strays : elsewhere ? event.elsewhere : event.attempts;
    const step = event === undefined || elsewhere ? WELL : event.plan(list.length + 1, event, arrival.at);
    const { turn } = play(toScript(step), BEGINNING, {});
    this.#count += 1;
    const id = saidIn(arrival, this.#ids);
    const sent: Sent = { ...arrival, number: this.#count, id, isElsewhere: elsewhere, lateMs, step, turn };
    list.push(sent);
    this.lookAgain();
    return {
      turn,
      ended: (ending, at) => {
        sent.end = { at, ending };
        this.lookAgain();
      },
    };
  }

  /** Calls back whenever something has come or ended, until the function that it returns is called. */
  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => this.#watchers.delete(look);
  }

  /** Whoever waits looks: something has happened that is no request, as a connection. */
  lookAgain(): void {
    for (const look of this.#watchers) look();
  }

  /** By its mark; else by an id or a body that came before; else the first event of which nothing has come yet. */
  #eventOf(arrival: Arrival): TriedEvent | undefined {
    const mark = this.#marks.in(arrival);
    if (mark !== undefined) return this.events.find((event) => event.mark === mark);
    const id = saidIn(arrival, this.#ids);
    const known = this.events.findLast(({ attempts }) =>
      attempts.some((one) => (id === undefined ? Buffer.compare(one.body, arrival.body) === 0 : one.id === id)),
    );
    const waiting = this.events.filter(({ attempts }) => attempts.length === 0);
    const { scenario } = this.events.at(-1) ?? {};
    return known ?? waiting.find((event) => event.scenario === scenario) ?? waiting[0];
  }
}
