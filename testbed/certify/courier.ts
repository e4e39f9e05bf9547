import { randomUUID } from 'node:crypto';
import { bytesOf, requestTo, USER_AGENT, webhookBody } from '../../server/delivery/webhook-request.ts';
import { outcomeOf, type Outcome } from '../../server/model/outcome.ts';
import type { Target } from '../../server/delivery/target.ts';
import type { Event } from '../../server/model/message.ts';
import type { PostRequest, Transport } from '../../server/ports/transport.ts';
import type { Scheme } from '../schemes/scheme.ts';
import { signedRequest } from '../schemes/signed-request.ts';
import { beside } from '../schemes/standard-webhooks.ts';
import { systemClock } from '../receiver/system-clock.ts';
import type { Connections } from './connections.ts';
import { deliverOnce } from './delivery.ts';
import { anotherOf, type GivenEvent } from './given-event.ts';

const PAUSE_MS = 100;
/** Whose requests they are; nothing of it reaches the receiver. */
const WORKSPACE = 'workspaces/certify';

/** How a receiver answered. */
export interface Answer {
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly excerpt: string;
  readonly ms: number;
}

/** An event on its way, of whichever sender. */
export interface Message {
  /** By which the receiver may know it again. */
  readonly id: string;
  readonly body: Uint8Array;
  /** Undefined for an event that was given. */
  readonly event?: Event;
}

export interface CourierOptions {
  readonly url: string;
  readonly secret: string;
  readonly scheme: Scheme;
  /** Undefined where the events are Waybill's. */
  readonly given?: GivenEvent | undefined;
  readonly transport: Transport;
  readonly deadlineMs: number;
  readonly connections: Pick<Connections, 'count'>;
  /** Answers `{"handled": <times>}` for `?messageId=…`; without it only the answers to requests are seen. */
  readonly observer?: string;
}

/** By whom and when a request is signed, where that is not as it ought to be. */
export interface SignedBy {
  readonly id?: string;
  readonly secret?: string;
  /** The secret before it, which signs as well. */
  readonly previous?: string;
  readonly at?: number;
}

/** Sends what the sender would send: Waybill's bodies, headers and signatures are made by the production engine. */
export class Courier {
  readonly url: string;
  readonly deadlineMs: number;
  readonly scheme: Scheme;
  /** The receiver's. */
  readonly secret: string;
  readonly #options: CourierOptions;
  readonly #target: Target;
  /** Of the latest request; undefined until there was one. */
  #latest: Outcome | undefined;

  constructor(options: CourierOptions) {
    const { url, secret, scheme, deadlineMs } = options;
    this.#options = options;
    const signature = scheme.name === 'standard-webhooks' ? 'standard-webhooks' : 'x-signature';
    this.#target = { webhooks: [{ url, headers: {} }], sharedSecret: secret, signature };
    this.url = url;
    this.secret = secret;
    this.deadlineMs = deadlineMs;
    this.scheme = scheme;
  }

  /** How many connections were opened to the receiver so far. */
  get connections(): number {
    return this.#options.connections.count;
  }

  /** How the latest request ended. */
  get latest(): Outcome | undefined {
    return this.#latest;
  }

  /** Whether the events were given, and are not Waybill's. */
  get isGiven(): boolean {
    return this.#options.given !== undefined;
  }

  /** A new event of Waybill, with an id of its own. */
  event(fields: Partial<Event> = {}): Event {
    const now = new Date().toISOString();
    const messageId = `certify-${randomUUID()}`;
    const base = { type: 'track', messageId, userId: 'certify', event: 'Certified', properties: {} } as const;
    return { ...base, context: { library: { name: 'waybill-certify' } }, timestamp: now, receivedAt: now, ...fields };
  }

  /** A new event of the sender. */
  message(fields: Partial<Event> = {}): Message {
    const { given } = this.#options;
    return given === undefined ? this.messageOf(this.event(fields)) : anotherOf(given);
  }

  messageOf(event: Event): Message {
    return { id: event.messageId, body: bytesOf(webhookBody(event)), event };
  }

  /** The request of the sender for this event. */
  requestFor({ id, body }: Message): PostRequest {
    return this.requestOf(body, { id });
  }

  /** The request of the sender for any body, signed as it ought to be, but for what is given. */
  requestOf(body: Uint8Array, signedBy: SignedBy = {}): PostRequest {
    const { given, scheme } = this.#options;
    const { id = randomUUID(), secret = this.secret, previous, at = Date.now() } = signedBy;
    if (given === undefined) {
      const both = previous === undefined ? {} : { previous: beside(previous) };
      const target = { ...this.#target, sharedSecret: secret, ...both };
      const request = requestTo({ url: this.url, headers: {} }, target, { messageId: id, at, body }, this.deadlineMs);
      return { ...request, workspace: WORKSPACE };
    }
    const ids = Object.fromEntries(given.idHeaders.map((name) => [name, id]));
    const headers = { 'User-Agent': USER_AGENT, ...withoutNames(given.headers, given.idHeaders), ...ids };
    const both = previous === undefined ? {} : { previous };
    const signed = signedRequest({ url: this.url, scheme, secret, body, headers, at, id, ...both });
    return {
      workspace: WORKSPACE,
      url: signed.url,
      headers: signed.headers,
      body: signed.body,
      deadlineMs: this.deadlineMs,
    };
  }

  /** Long enough for a receiver to notice that a connection ended. */
  async pause(): Promise<void> {
    await systemClock.sleep(PAUSE_MS);
  }

  /** A delivery; of an event of Waybill one of production, from the event to the attempt log. */
  async deliver(message: Message): Promise<Answer> {
    const { event } = message;
    if (event === undefined) return this.send(this.requestFor(message));
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

/** Each event has an id of its own, whatever its headers were when it was saved. */
function withoutNames(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !known.has(name.toLowerCase())));
}

async function askObserver(url: URL, deadlineMs: number): Promise<unknown> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(deadlineMs) })).json();
  } catch (error) {
    throw new Error(`The observer ${url.origin + url.pathname} did not answer with JSON`, { cause: error });
  }
}
