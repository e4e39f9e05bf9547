import type { Send } from '../client/config/call.ts';
import type { Clock } from '../client/config/clock.ts';
import { isConfigApiError } from '../client/config/config-api-error.ts';
import type { Fetch } from '../client/config/options.ts';
import { readRetryAfter, STANDARD_RETRY } from '../client/config/retry.ts';
import type { Terminal } from './terminal.ts';

/** Each is several waits of up to a minute: hours, in which others that are under way have had their turn. */
const MOST_ROUNDS = 100;
/** A shorter wait is over before somebody has read of it. */
const TOLD_MS = 2_000;

/**
 * Goes on where the limit of requests a minute was used up: whoever makes thousands of requests, many at once, is refused as often as
 * others were quicker. What was refused so was not done.
 */
export function patient(send: Send): Send {
  return async (call) => {
    for (let round = 1; ; round += 1) {
      try {
        return await send(call);
      } catch (error) {
        if (round === MOST_ROUNDS || !isConfigApiError(error, 'ResourceExhausted')) throw error;
        if ((error.retryAfterMs ?? 0) > STANDARD_RETRY.longestWaitMs) throw error;
      }
    }
  };
}

/** Sends, and says how long the router asks to wait, once for all who are told so together. */
export function tellingWaits(fetch: Fetch, clock: Pick<Clock, 'now'>, terminal: Pick<Terminal, 'say'>): Fetch {
  let toldUntil = -Infinity;
  return async (request) => {
    const answer = await fetch(request);
    const now = clock.now();
    const waitMs = answer.status === 429 ? (readRetryAfter(answer.headers.get('Retry-After'), now) ?? 0) : 0;
    if (waitMs >= TOLD_MS && now >= toldUntil) {
      toldUntil = now + waitMs;
      terminal.say(`the router takes no more requests now: going on in ${Math.ceil(waitMs / 1_000)} s`);
    }
    return answer;
  };
}
