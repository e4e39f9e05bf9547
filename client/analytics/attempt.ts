import { excerptOf } from './excerpt.ts';
import type { FetchInit, FetchResponse } from './fetch.ts';
import type { Settings } from './options.ts';
import type { Outcome } from './outcome.ts';
import { isOffline } from './page.ts';
import { thrownText } from './thrown.ts';

/** How long a browser without a network waits, in seconds. */
const OFFLINE_WAIT = '10';

/**
 * One request. Every way it can end is a value, and it always ends in time (the answer's body included), also with a
 * `fetch` that ignores its signal, and at once when it is stopped. The status decides, but of a page that somebody else
 * answered with 200; once it is there, a body that stalls or breaks changes nothing.
 */
export function attempt(
  init: Omit<FetchInit, 'signal'>,
  { url, requestTimeoutMs, fetch, clock }: Pick<Settings, 'url' | 'requestTimeoutMs' | 'fetch' | 'clock'>,
  stop: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    let answered: Outcome | undefined;
    const end = (cause: string): void => {
      cancelTimer();
      stop.removeEventListener('abort', giveUp);
      // Without a network nothing is wrong with the server: as if it had asked for a wait, which costs no retry.
      resolve(answered ?? { cause, retryAfter: isOffline() ? OFFLINE_WAIT : undefined });
    };
    // Of what is stopped nobody asks why.
    const giveUp = (): void => {
      end(`no answer within ${requestTimeoutMs} ms`);
      controller.abort();
    };
    const cancelTimer = clock.after(requestTimeoutMs, giveUp);
    stop.addEventListener('abort', giveUp);
    const exchange = async (): Promise<string> => {
      const response = await fetch(url, { ...init, signal: controller.signal });
      answered = outcomeOf(response, '');
      answered = outcomeOf(response, await excerptOf(response));
      return answered.cause;
    };
    void exchange().catch(reasonOf).then(end);
  });
}

function outcomeOf({ type, status: shown, headers }: FetchResponse, excerpt: string): Outcome {
  const status = type === 'opaqueredirect' ? 302 : shown;
  // Of a network that wants a login first, an application at this address, or a firewall: nobody took anything in.
  const isPage = status < 300 && /^\s*</.test(excerpt);
  const cause = `status ${status}${excerpt && `: ${excerpt}`}`;
  return { cause, status: isPage ? 0 : status, retryAfter: headers.get('retry-after') };
}

/** Node says only `fetch failed` itself; what happened stands in the cause, and of several addresses in its code alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return thrownText(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  const { message: told, code }: Error & { code?: string } = cause;
  return `${message}: ${told || code}`;
}
