import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../../generated/receiver-control.d.ts';
import { aborted } from '../receiver/exchange.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Received, ReceiverEvent } from '../receiver/received.ts';
import { incidentView, receiverView, summaryView } from './views.ts';

type Schemas = components['schemas'];
type News = Schemas['News'];

const MAX_REQUESTS = 200;
const MAX_INCIDENTS = 20;
/** Between two messages: nobody reads faster, and a flood is no flood of messages. */
const PACE_MS = 50;

/** What happens, for one reader. What waits for a slow one is bounded, whatever happens meanwhile. */
export async function* newsOf(receiver: Receiver, over: AbortSignal): AsyncGenerator<News> {
  const waiting = new Waiting(receiver);
  const stop = receiver.onEvent((event) => waiting.add(event));
  try {
    while (!over.aborted) {
      yield waiting.take();
      await pause(PACE_MS, undefined, { signal: over }).catch(() => undefined);
      await Promise.race([waiting.something(), aborted(over)]);
    }
  } finally {
    stop();
  }
}

/** What is to be told with the next message. */
class Waiting {
  readonly #receiver: Receiver;
  /** By number: what changed twice is told once. */
  #requests = new Map<number, Schemas['Summary']>();
  #incidents: Schemas['Incident'][] = [];
  /** True for the first message, and from a reset to the message that tells of it. */
  #isFresh = true;
  /** Resolves with the first thing that there is to tell. */
  #some = Promise.withResolvers<undefined>();

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
    for (const request of receiver.received.slice(-MAX_REQUESTS)) this.#tell(request);
  }

  async something(): Promise<void> {
    await this.#some.promise;
  }

  add(event: ReceiverEvent): void {
    if (event.kind === 'received') this.#tell(event.request);
    if (event.kind === 'reset') {
      this.#requests.clear();
      this.#incidents = [];
      this.#isFresh = true;
    }
    // One that was forgotten by a reset has the number of another by now.
    if (event.kind === 'forwarded' && this.#receiver.received.includes(event.request)) this.#tell(event.request);
    const incident = incidentView(event);
    if (incident !== undefined) this.#incidents = [...this.#incidents, incident].slice(-MAX_INCIDENTS);
    this.#some.resolve(undefined);
  }

  take(): News {
    const requests = [...this.#requests.values()].toSorted((a, b) => a.number - b.number);
    const news = {
      isFresh: this.#isFresh,
      receiver: receiverView(this.#receiver),
      requests,
      incidents: this.#incidents,
    };
    this.#requests = new Map();
    this.#incidents = [];
    this.#isFresh = false;
    this.#some = Promise.withResolvers();
    return news;
  }

  #tell(request: Received): void {
    this.#requests.delete(request.number);
    this.#requests.set(request.number, summaryView(request, this.#receiver.answerTo(request)));
    const [first] = this.#requests.keys();
    if (first !== undefined && this.#requests.size > MAX_REQUESTS) this.#requests.delete(first);
  }
}
