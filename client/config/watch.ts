import type { Call, Watch } from './call.ts';
import type { ConfigClientSettings } from './options.ts';
import { type OpenedStream, openStream } from './open-stream.ts';
import { parseOrKeep } from './requester.ts';
import { resultOf } from './result.ts';
import { dataOf } from './server-sent-events.ts';

/** The router says something every 15 seconds: from a connection that is silent for so long nothing will come. */
const SILENCE_MS = 45_000;

/** Opens streams of server-sent events, without repeating anything: whoever watches knows whether to ask again. */
export function createWatch(settings: ConfigClientSettings): Watch {
  return async function* watch<T>(call: Call<T>) {
    const stream: OpenedStream = await openStream(settings, call, 'text/event-stream');
    const { request, status } = stream;
    const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for await (const data of dataOf(() => stream.within(SILENCE_MS, () => reader.read()))) {
        const outcome = {
          kind: 'answered',
          request,
          status,
          ok: true,
          retryAfter: null,
          tag: null,
          body: parseOrKeep(data),
        } as const;
        const result = resultOf(call, outcome);
        if (!('value' in result)) throw stream.failed(outcome);
        yield result.value;
      }
    } finally {
      // What broke is cancelled already.
      await reader.cancel().catch(() => {});
    }
  };
}
