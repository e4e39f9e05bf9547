import type { Send } from './call.ts';
import { ConfigApiError } from './config-api-error.ts';
import type { Failure } from './failure.ts';
import type { ConfigClientSettings } from './options.ts';
import { redact } from './redact.ts';
import { createRequester, type Outcome } from './requester.ts';
import { resultOf } from './result.ts';
import { readRetryAfter, retryWaitMs } from './retry.ts';

/** How much of what an answer says is kept, in characters: the beginning of a proxy's page tells whose it is. */
const MAX_DETAIL = 500;

/** The last attempt of a call. */
interface LastAttempt {
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly retryAfterMs: number | undefined;
}

export function createSend(settings: ConfigClientSettings): Send {
  const { clock, retry, random, token } = settings;
  const attempt = createRequester(settings);
  return async (call) => {
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await attempt(call);
      const { status, retryAfter } = outcome.kind === 'answered' ? outcome : { status: 0, retryAfter: null };
      const retryAfterMs = readRetryAfter(retryAfter, clock.now());
      const refused = { method: call.method, status, retryAfterMs, retries: attempts - 1 };
      const waitMs = retryWaitMs(retry, refused, random);
      if (waitMs === undefined) {
        const result = resultOf(call, outcome);
        if ('value' in result) return result.value;
        throw errorOf(result, { outcome, attempts, retryAfterMs }, token);
      }
      // Once the signal aborts the wait is over, and the next attempt rejects before anything is sent.
      await clock.sleep(waitMs, call.signal);
    }
  };
}

/** The token is taken out of every text before it is cut, so that no part of it remains at the edge. */
export function errorOf(
  failure: Failure,
  { outcome, attempts, retryAfterMs }: LastAttempt,
  token: string,
): ConfigApiError {
  const { kind, code, detail, cause } = failure;
  const request = { method: outcome.request.method, url: redact(outcome.request.url, token) };
  const said = redact(detail, token);
  const shown = said.length > MAX_DETAIL ? `${said.slice(0, MAX_DETAIL)}…` : said;
  const message = `${kind}: ${request.method} ${request.url} ${shown}${attempts > 1 ? ` (${attempts} attempts)` : ''}`;
  const status = outcome.kind === 'answered' ? outcome.status : undefined;
  return new ConfigApiError({ kind, message, request, status, code, attempts, retryAfterMs, cause });
}
