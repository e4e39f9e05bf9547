import type { Fetch, FetchInit, FetchResponse } from '../../analytics/fetch.ts';
import type { Message } from '../../analytics/wire.ts';

/** What the server does with a request. `lost` answers take the batch in before they fail. */
export type Step =
  | number
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string; readonly type?: string }
  | 'reset'
  | 'stall'
  | 'stall deaf'
  | 'reset lost'
  | 'stalled body';

export interface Received {
  readonly url: string;
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly messages: readonly Message[];
  readonly sentAt: string;
}

/** What the server does with its `request`th request, from 0. */
export type Plan = (request: number, received: Received) => Step;

/** A server as the library sees it: a `fetch` that follows a plan, and remembers. */
export class FakeServer {
  readonly requests: Received[] = [];
  /** Messages of the batches that were taken in, in order. */
  readonly accepted: Message[] = [];
  open = 0;
  mostOpen = 0;
  readonly #plan: Plan;
  readonly #now: () => number;

  constructor(now: () => number, plan: readonly Step[] | Plan = []) {
    this.#now = now;
    this.#plan = typeof plan === 'function' ? plan : (request) => plan[request] ?? 200;
  }

  get acceptedIds(): (string | null | undefined)[] {
    return this.accepted.map((message) => message.messageId);
  }

  readonly fetch: Fetch = async (url, init) => {
    const received = receivedOf(url, init, this.#now());
    const step = this.#plan(this.requests.length, received);
    this.requests.push(received);
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    try {
      return await this.#answer(step, received, init.signal);
    } finally {
      this.open -= 1;
    }
  };

  async #answer(step: Step, received: Received, signal: AbortSignal): Promise<FetchResponse> {
    // As on a network, nothing is answered in the same turn.
    await Promise.resolve();
    if (step === 'reset') throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
    if (step === 'stall') return aborted(signal);
    if (step === 'stall deaf') return new Promise<never>(() => {});
    if (step === 'reset lost') {
      this.accepted.push(...received.messages);
      throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    }
    const answer = step === 'stalled body' ? { status: 200 } : typeof step === 'number' ? { status: step } : step;
    if (answer.status >= 200 && answer.status < 300) this.accepted.push(...received.messages);
    const text = step === 'stalled body' ? () => aborted(signal) : async () => bodyOf(answer);
    const retryAfter = 'retryAfter' in answer ? answer.retryAfter : undefined;
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    const type = 'type' in answer && answer.type !== undefined ? { type: answer.type } : {};
    return { status: answer.status, headers, text, ...type };
  }
}

function bodyOf(answer: { readonly status: number; readonly body?: string }): string {
  return answer.body ?? (answer.status === 200 ? '{"success":true}' : '');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

function receivedOf(url: string, { headers, body }: FetchInit, at: number): Received {
  const text = typeof body === 'string' ? body : '';
  const parsed: { batch: Message[]; sentAt: string } = JSON.parse(text);
  return { url, at, headers, text, messages: parsed.batch, sentAt: parsed.sentAt };
}
