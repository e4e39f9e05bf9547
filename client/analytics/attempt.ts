import type { Clock } from './clock.ts';
import { excerptOf } from './excerpt.ts';
import type { Fetch, FetchInit, FetchResponse } from './fetch.ts';
import type { Outcome } from './outcome.ts';

export interface Attempt {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: FetchInit['body'];
  /** In a page: the request goes on without it. */
  readonly keepalive: boolean;
  /** The whole budget, the answer's body included. */
  readonly timeoutMs: number;
  /** Ends the attempt at once. */
  readonly stop: AbortSignal;
}

/**
 * One request. Every way it can end is a value, and it always ends in time, also with a `fetch` that ignores its
 * signal. The status alone decides: once it is there, a body that stalls or breaks changes nothing.
 */
export function attempt(wanted: Attempt, fetch: Fetch, clock: Clock): Promise<Outcome> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    let answered: Outcome | undefined;
    const end = (outcome: Outcome): void => {
      cancelTimer();
      wanted.stop.removeEventListener('abort', stopped);
      resolve(outcome);
    };
    const giveUp = (why: string): void => {
      end(answered ?? { kind: 'unanswered', why });
      controller.abort();
    };
    const stopped = (): void => giveUp('stopped');
    const cancelTimer = clock.after(wanted.timeoutMs, () => giveUp(`no answer within ${wanted.timeoutMs} ms`));
    wanted.stop.addEventListener('abort', stopped);
    const exchange = async (): Promise<void> => {
      const response = await fetch(wanted.url, initOf(wanted, controller.signal));
      answered = outcomeOf(response, '');
      end(outcomeOf(response, await excerptOf(response)));
    };
    exchange().catch((error: unknown) => end(answered ?? { kind: 'unanswered', why: reasonOf(error) }));
  });
}

function initOf({ headers, body, keepalive }: Attempt, signal: AbortSignal): FetchInit {
  // `keepalive` only where it means something: not every runtime takes it.
  return { method: 'POST', headers, body, redirect: 'manual', signal, ...(keepalive && { keepalive }) };
}

function outcomeOf(response: FetchResponse, excerpt: string): Outcome {
  const status = response.type === 'opaqueredirect' ? 302 : response.status;
  return { kind: 'answered', status, retryAfter: response.headers.get('retry-after'), excerpt };
}

/** Node says only `fetch failed` itself; what happened stands in the cause, and of several addresses in its code alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed';
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  const { message: told, code }: Error & { code?: string } = cause;
  return `${message}: ${told || code}`;
}
