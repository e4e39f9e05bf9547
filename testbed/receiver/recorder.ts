import type { IncomingMessage } from 'node:http';
import type { Turn } from '../fault-script/player.ts';
import { eventIn, headerOf, headersIn, textOf } from './received.ts';
import type { Received, ReceiverEvent } from './received.ts';
import { judgeSignature } from './signature-verdict.ts';

/** A request as it came, before anything is concluded from it. */
export type Arrival = Pick<Received, 'at' | 'method' | 'path' | 'headers' | 'body'>;

export function arrivalOf(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  body: Uint8Array,
  at: number,
): Arrival {
  return { at, method, path: url, headers: headersIn(rawHeaders), body };
}

/** Makes records of arrivals: numbers them, counts attempts, checks signatures. */
export class Recorder {
  readonly #secret: string | undefined;
  /** How often each `messageId` came. */
  readonly #attempts = new Map<string, number>();
  /** Settles when every earlier arrival is recorded: signatures are checked side by side, and the order stays. */
  #earlier: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(secret: string | undefined) {
    this.#secret = secret;
  }

  /** `turnFor` is asked when it is this arrival's turn, and `tell` is called before the next one is looked at. */
  async record(
    arrival: Arrival,
    turnFor: (type: string | undefined) => Turn,
    tell: (event: ReceiverEvent) => void,
  ): Promise<Received> {
    const judging = judgeSignature(this.#secret, headerOf(arrival, 'x-signature'), arrival.body);
    const recording = Promise.all([judging, this.#earlier]).then(([signature]) => {
      const event = eventIn(arrival.body);
      const turn = turnFor(textOf({ event }, 'type'));
      this.#count += 1;
      const attempt = this.#countAttempt(textOf({ event }, 'messageId'));
      const request = { ...arrival, number: this.#count, event, attempt, signature, turn };
      tell({ kind: 'received', request });
      return request;
    });
    this.#earlier = recording;
    return recording;
  }

  #countAttempt(messageId: string | undefined): number {
    if (messageId === undefined) return 1;
    const attempt = (this.#attempts.get(messageId) ?? 0) + 1;
    this.#attempts.set(messageId, attempt);
    return attempt;
  }
}
