import { randomUUID } from 'node:crypto';
import { signatureOf } from '../../server/delivery/signatures.ts';
import { bytesOf, requestTo, webhookBody } from '../../server/delivery/webhook-request.ts';
import { outcomeOf, type Outcome } from '../../server/model/outcome.ts';
import type { Target } from '../../server/delivery/target.ts';
import type { Event } from '../../server/model/message.ts';
import type { PostRequest, Transport } from '../../server/ports/transport.ts';
import { systemClock } from '../receiver/system-clock.ts';
import type { Connections } from './connections.ts';
import { deliverOnce } from './delivery.ts';

const PAUSE_MS = 100;

/** How a receiver answered. */
export interface Answer {
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly excerpt: string;
  readonly ms: number;
}

export interface CourierOptions {
  readonly url: string;
  readonly secret: string;
  readonly transport: Transport;
  readonly deadlineMs: number;
  readonly connections: Pick<Connections, 'count'>;
  /** Answers `{"handled": <times>}` for `?messageId=…`; without it only the answers to requests are seen. */
  readonly observer?: string;
}

/** Sends what the router would send: bodies, headers and signatures are made by the production engine. */
export class Courier {
  readonly url: string;
  readonly deadlineMs: number;
  readonly #options: CourierOptions;
  readonly #target: Target;
  /** Of the latest request; undefined until there was one. */
  #latest: Outcome | undefined;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#target = { webhooks: [{ url: options.url, headers: {} }], sharedSecret: options.secret };
    this.url = options.url;
    this.deadlineMs = options.deadlineMs;
  }

  /** How many connections were opened to the receiver so far. */
  get connections(): number {
    return this.#options.connections.count;
  }

  /** How the latest request ended. */
  get latest(): Outcome | undefined {
    return this.#latest;
  }

  /** A new event, with an id of its own. */
  event(fields: Partial<Event> = {}): Event {
    const now = new Date().toISOString();
    const messageId = `certify-${randomUUID()}`;
    const base = { type: 'track', messageId, userId: 'certify', event: 'Certified', properties: {} } as const;
    return { ...base, context: { library: { name: 'waybill-certify' } }, timestamp: now, receivedAt: now, ...fields };
  }

  /** The request of production for this event. */
  requestFor(event: Event): PostRequest {
    return this.requestOf(bytesOf(webhookBody(event)));
  }

  /** The request of production for any body, signed as it ought to be. */
  requestOf(body: Uint8Array): PostRequest {
    const unsigned = { messageId: 'certify', at: Date.now(), body };
    return requestTo({ url: this.url, headers: {} }, this.#target, unsigned, this.deadlineMs);
  }

  sign(body: Uint8Array, secret = this.#options.secret): string {
    return signatureOf(secret, body);
  }

  /** Long enough for a receiver to notice that a connection ended. */
  async pause(): Promise<void> {
    await systemClock.sleep(PAUSE_MS);
  }

  /** A delivery of production, from the event to the attempt log. */
  async deliver(event: Event): Promise<Answer> {
    const { transport, deadlineMs } = this.#options;
    const { outcome, status, excerpt, durationMs } = await deliverOnce(
      { target: this.#target, transport, deadlineMs },
      event,
    );
    return this.#noted({ outcome, status, excerpt, ms: durationMs });
  }

  /** Any request, over the connections of production. */
  async send(request: PostRequest): Promise<Answer> {
    const startedAt = performance.now();
    const result = await this.#options.transport.post(request, new AbortController().signal);
    const ms = performance.now() - startedAt;
    const answered = result.kind === 'answered';
    return this.#noted({
      outcome: outcomeOf(result),
      status: answered ? result.status : undefined,
      excerpt: answered ? result.excerpt : '',
      ms,
    });
  }

  /** How often the receiver says that it has handled an event; undefined when nobody can tell. */
  async handled(messageId: string): Promise<number | undefined> {
    const { observer } = this.#options;
    if (observer === undefined) return undefined;
    const url = new URL(observer);
    url.searchParams.set('messageId', messageId);
    const answer = await askObserver(url, this.deadlineMs);
    const handled = typeof answer === 'object' && answer !== null && 'handled' in answer ? answer.handled : undefined;
    if (typeof handled === 'number') return handled;
    throw new Error(`The observer ${url.origin + url.pathname} answered no {"handled": <number>}`);
  }

  #noted(answer: Answer): Answer {
    this.#latest = answer.outcome;
    return answer;
  }
}

async function askObserver(url: URL, deadlineMs: number): Promise<unknown> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(deadlineMs) })).json();
  } catch (error) {
    throw new Error(`The observer ${url.origin + url.pathname} did not answer with JSON`, { cause: error });
  }
}
