import type { ReceiverClock } from './receiver-clock.ts';
import type { Duration } from '../fault-script/step.ts';
import { milliseconds } from '../fault-script/units.ts';
import { eventTypeOf } from '../schemes/said.ts';
import { refuseUnclear } from './known-names.ts';
import { textOf } from './received.ts';
import type { Received } from './received.ts';

/** Which requests are meant; what is left out does not matter. */
export interface Filter {
  /** The event's type, where the scheme of its endpoint has it. */
  readonly type?: string;
  /** The `event` of a track call. */
  readonly event?: string;
  /** The path of the endpoint that took it. */
  readonly endpoint?: string;
}

const OF_FILTER = ['type', 'event', 'endpoint', 'count', 'within', 'signal'];

/** How many arrivals the message of a wait in vain lists; the last ones say most. */
const LISTED = 10;

/** What arrived, in order, and who waits for more of it. */
export class Journal {
  readonly #received: Received[] = [];
  /** One for each wait: looks whether it is over. */
  readonly #waits = new Set<() => void>();
  readonly #clock: ReceiverClock;
  readonly #keep: number;
  readonly #keepBytes: number;
  /** Of the bodies of all that it has. */
  #bytes = 0;
  /** Number of the last request that `next` gave out. */
  #given = 0;
  /** Set once, by `close`: from then on nothing arrives, and no wait begins. */
  #closed = false;

  constructor(clock: ReceiverClock, keep = Number.POSITIVE_INFINITY, keepBytes = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#keep = keep;
    this.#keepBytes = keepBytes;
  }

  get received(): readonly Received[] {
    return this.#received;
  }

  add(request: Received): void {
    this.#received.push(request);
    this.#bytes += request.body.length;
    // The latest stays, however large it is.
    while (this.#received.length > 1 && (this.#received.length > this.#keep || this.#bytes > this.#keepBytes))
      this.#bytes -= this.#received.shift()?.body.length ?? 0;
    for (const look of this.#waits) look();
  }

  /** Every request is given out once, in order of arrival, also to callers that wait side by side. */
  async next(within: Duration, signal?: AbortSignal): Promise<Received> {
    const take = () => {
      const request = this.#received.find(({ number }) => number > this.#given);
      this.#given = request?.number ?? this.#given;
      return request;
    };
    return this.#wait('another request', within, take, signal);
  }

  /** The first that matches, whether it came before the call or comes after it. */
  async first(filter: Filter, within: Duration, signal?: AbortSignal): Promise<Received> {
    refuseUnclear('waitFor', filter, OF_FILTER);
    const take = () => this.#received.find((each) => matches(each, filter));
    return this.#wait(`a ${describeFilter(filter)}`, within, take, signal);
  }

  /** The first `count` that match. */
  async several(filter: Filter, count: number, within: Duration, signal?: AbortSignal): Promise<readonly Received[]> {
    refuseUnclear('waitFor', filter, OF_FILTER);
    const take = () => {
      const found = this.#received.filter((each) => matches(each, filter)).slice(0, count);
      return found.length === count ? found : undefined;
    };
    return this.#wait(`${count} × ${describeFilter(filter)}`, within, take, signal);
  }

  /** Forgets what came; who waits goes on waiting. */
  reset(): void {
    this.#received.length = 0;
    this.#bytes = 0;
    this.#given = 0;
  }

  close(): void {
    this.#closed = true;
    for (const look of this.#waits) look();
  }

  /** `take` is asked now and after every arrival, until it finds what it wants. */
  async #wait<T>(wanted: string, within: Duration, take: () => T | undefined, signal?: AbortSignal): Promise<T> {
    const over = new AbortController();
    const giveUp = () => over.abort();
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    try {
      return await new Promise<T>((resolve, reject) => {
        const look = () => {
          const found = take();
          if (found === undefined && !this.#closed) return false;
          // At once: a second look would take something that nobody gets.
          this.#waits.delete(look);
          if (found === undefined) reject(this.#inVain(wanted, 'the receiver is closed'));
          else resolve(found);
          return true;
        };
        if (look()) return;
        this.#waits.add(look);
        over.signal.addEventListener('abort', () => this.#waits.delete(look));
        const late = () => {
          reject(this.#inVain(wanted, signal?.aborted === true ? 'given up' : `not within ${within}`));
        };
        void this.#clock.sleep(milliseconds(within), over.signal).then(late);
      });
    } finally {
      signal?.removeEventListener('abort', giveUp);
      over.abort();
    }
  }

  #inVain(wanted: string, why: string): Error {
    const listed = this.#received.slice(-LISTED).map((request) => `\n  ${describe(request)}`);
    const more = this.#received.length - listed.length;
    const arrived = this.#received.length === 0 ? 'nothing arrived' : `${this.#received.length} arrived:`;
    return new Error(
      `Timed out waiting for ${wanted}: ${why}; ${arrived}${more > 0 ? `\n  … ${more} before` : ''}${listed.join('')}`,
    );
  }
}

export function matches(request: Received, { type, event, endpoint }: Filter): boolean {
  if (endpoint !== undefined && request.endpoint !== endpoint) return false;
  if (type !== undefined && eventTypeOf(request) !== type) return false;
  return event === undefined || textOf(request, 'event') === event;
}

function describeFilter({ type, event, endpoint }: Filter): string {
  const to = endpoint === undefined ? '' : `to ${endpoint}`;
  const what = [type ?? 'request', event === undefined ? '' : JSON.stringify(event), to];
  return what.filter((word) => word !== '').join(' ');
}

function describe({ number, method, path, body, signature, turn, ...request }: Received): string {
  const event = textOf(request, 'event');
  const type = eventTypeOf({ ...request, body }) ?? `${method} ${path} (${body.length} bytes, no event)`;
  const step = turn.step === undefined ? 'no step' : `step ${turn.step}`;
  return `#${number} ${type}${event === undefined ? '' : ` ${JSON.stringify(event)}`}, signature ${signature.verdict}, ${step}`;
}
