import type { Clock } from '../../server/ports/clock.ts';
import type { PostRequest, PostResult, Transport } from '../../server/ports/transport.ts';
import { tellSentBody } from '../contract/sent-bodies.ts';

/** One request as a simulated endpoint saw it. */
export interface SimulatedPost {
  /** In steady time. */
  readonly at: number;
  readonly request: PostRequest;
  /** When its end was known; absent while it is under way, and of what a killed router sent. */
  endedAt?: number;
}

/** What an endpoint does with a request: after how long it answers, and what. */
export interface SimulatedAnswer {
  readonly afterMs?: number;
  readonly result: PostResult;
}

export type Endpoint = (post: SimulatedPost) => SimulatedAnswer;

/** A Transport without a network: endpoints are functions, time is the clock's, and the deadline holds as in production. */
export class SimulatedTransport implements Transport {
  readonly posts: SimulatedPost[] = [];
  readonly #clock: Clock;
  readonly #endpoint: Endpoint;

  constructor(clock: Clock, endpoint: Endpoint) {
    this.#clock = clock;
    this.#endpoint = endpoint;
  }

  async post(request: PostRequest, signal?: AbortSignal): Promise<PostResult> {
    const at = this.#clock.steady();
    const post: SimulatedPost = { at, request };
    this.posts.push(post);
    tellSentBody(request.headers['User-Agent'], request.body);
    const { afterMs = 0, result } = this.#endpoint(post);
    await this.#clock.sleep(Math.min(afterMs, request.deadlineMs), signal);
    post.endedAt = this.#clock.steady();
    if (signal?.aborted === true) return { kind: 'failed', failure: 'cancelled', detail: 'the router gave it up' };
    // An event loop that stood still meanwhile finds the deadline over before it looks at what has come.
    if (post.endedAt - at < request.deadlineMs) return result;
    return { kind: 'failed', failure: 'first_byte_timeout', detail: `no answer within ${request.deadlineMs / 1000} s` };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** An answer with a status. */
export function answers(status: number, retryAfter?: string): SimulatedAnswer {
  return { result: { kind: 'answered', status, excerpt: '', ...(retryAfter === undefined ? {} : { retryAfter }) } };
}
