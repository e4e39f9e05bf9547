import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PlayedTurn } from './playback.ts';
import { eventIn, headersIn } from './received.ts';
import type { Received, ReceiverEvent } from './received.ts';
import { eventIdOf, eventTypeOf } from '../schemes/said.ts';
import { type Expected, judgeSignature } from './signature-verdict.ts';

/** A request as it came, before anything is concluded from it. */
export type Arrival = Pick<Received, 'at' | 'method' | 'path' | 'headers' | 'body' | 'endpoint' | 'application'>;

export function arrivalOf(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  body: Uint8Array,
  at: number,
): Arrival {
  return { at, method, path: url, headers: headersIn(rawHeaders), body };
}

/** The order of arrival, which the endpoints of one receiver share. */
export class Order {
  /** Settles when every earlier arrival is recorded: signatures are checked side by side, and the order stays. */
  earlier: Promise<unknown> = Promise.resolve();
  /** Number of the latest. */
  count = 0;
}

/** For each request that a receiver keeps it knows the ids of so many events: retries come late. */
const IDS_PER_KEPT = 100;
const LONG_ID = 64;

/** Makes records of arrivals: numbers them, counts attempts, checks signatures. */
export class Recorder {
  readonly #expected: Expected;
  /** How often each event came, by its id, the latest last. */
  readonly #attempts = new Map<string, number>();
  readonly #maxIds: number;
  readonly #order: Order;

  /** `keep`: how many requests the receiver keeps; then it does not remember the ids of all either. */
  constructor(expected: Expected, order = new Order(), keep = Number.POSITIVE_INFINITY) {
    this.#expected = expected;
    this.#maxIds = keep * IDS_PER_KEPT;
    this.#order = order;
  }

  /** Counts attempts anew, and numbers what comes from 1. */
  reset(): void {
    this.#attempts.clear();
    this.#order.count = 0;
  }

  /** `turnFor` is asked when it is this arrival's turn, and `tell` is called before the next one is looked at. */
  async record(
    arrival: Arrival,
    turnFor: (type: string | undefined) => PlayedTurn,
    tell: (event: ReceiverEvent) => void,
  ): Promise<Received> {
    const judging = judgeSignature(this.#expected, arrival);
    const recording = Promise.all([judging, this.#order.earlier]).then(([signature]) => {
      const event = eventIn(arrival.body);
      const sent = { ...arrival, event, scheme: this.#expected.scheme };
      const { script, ...turn } = turnFor(eventTypeOf(sent));
      this.#order.count += 1;
      const attempt = this.#countAttempt(eventIdOf(sent));
      const request = { ...sent, number: this.#order.count, attempt, signature, turn, script };
      tell({ kind: 'received', request });
      return request;
    });
    this.#order.earlier = recording;
    return recording;
  }

  #countAttempt(id: string | undefined): number {
    if (id === undefined) return 1;
    const key = id.length > LONG_ID ? createHash('sha256').update(id).digest('base64') : id;
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.delete(key);
    this.#attempts.set(key, attempt);
    const [oldest] = this.#attempts.keys();
    if (oldest !== undefined && this.#attempts.size > this.#maxIds) this.#attempts.delete(oldest);
    return attempt;
  }
}
