import type { Call, Watch } from './call.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import type { ConfigClientSettings } from './options.ts';
import { describe, type Outcome, parseOrKeep, unansweredBy } from './requester.ts';
import { resultOf } from './result.ts';
import { errorOf } from './send.ts';
import { dataOf } from './server-sent-events.ts';

/** The router says something every 15 seconds: from a connection that is silent for so long nothing will come. */
const SILENCE_MS = 45_000;

/** Opens streams of server-sent events, without repeating anything: whoever watches knows whether to ask again. */
export function createWatch(settings: ConfigClientSettings): Watch {
  return async function* watch<T>(call: Call<T>) {
    const { clock, timeoutMs, token, baseUrl } = settings;
    const { signal } = call;
    const request = describe(call, baseUrl);
    const within = <R>(ms: number, work: Parameters<typeof withDeadline<R>>[0]): Promise<R> => {
      const deadline: Deadline = { clock, timeoutMs: ms, signal };
      return withDeadline(work, deadline).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw failed(call, unansweredBy(cause, request), token);
      });
    };
    const response = await within(timeoutMs, (opening) => settings.fetch(requestFor(request.url, token, opening)));
    const { body, status, ok } = response;
    if (!ok || body === null) {
      const text = await within(timeoutMs, () => response.text());
      throw failed(
        call,
        { kind: 'answered', request, status, ok: false, retryAfter: null, body: parseOrKeep(text) },
        token,
      );
    }
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for await (const data of dataOf(() => within(SILENCE_MS, () => reader.read()))) {
        const outcome = { kind: 'answered', request, status, ok, retryAfter: null, body: parseOrKeep(data) } as const;
        const result = resultOf(call, outcome);
        if (!('value' in result)) throw failed(call, outcome, token);
        yield result.value;
      }
    } finally {
      // What broke is cancelled already.
      await reader.cancel().catch(() => {});
    }
  };
}

function requestFor(url: string, token: string, signal: AbortSignal): Request {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
  return new Request(url, { headers, redirect: 'manual', signal });
}

function failed(call: Call<unknown>, outcome: Outcome, token: string): Error {
  const result = resultOf(call, outcome);
  if ('value' in result) throw new Error('an answer that was read is no failure');
  return errorOf(result, { outcome, attempts: 1, retryAfterMs: undefined }, token);
}
