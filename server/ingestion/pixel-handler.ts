import { isObject } from '../model/json-values.ts';
import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Serve } from '../http/answer.ts';
import type { Asked } from '../http/asked.ts';
import type { Call, Handler } from '../http/contract.ts';
import { toApiError } from '../http/error-answers.ts';
import type { Log } from '../ports/log.ts';
import { type Caller, sourcesOfCall } from './caller.ts';
import { openEnvelope } from '../events/normalize-calls.ts';
import { jsonBytes } from '../events/event-limits.ts';
import { callOfPixel, PIXEL } from './pixel.ts';
import type { CallPorts } from './call-handlers.ts';

type Pixel = operations['pixel'];

export function pixelHandler(ports: CallPorts): Handler<Pixel, Caller> {
  return async ({ path, query, caller }: Call<Pixel, Caller>) => {
    const call = callOfPixel(query);
    const places = { holders: isObject(call) ? [query, call] : [query] };
    const sources = await sourcesOfCall(ports, caller, places);
    const envelope = openEnvelope({}, { ...caller, sender: 'client', type: path.call, iso: ports.iso });
    await ports.pipeline.receive({ ...sources, envelope, calls: [call], bodyBytes: jsonBytes(call) });
    return PIXEL;
  };
}

/** Answers every pixel 200 with its image, whatever went wrong: nobody reads an error there, and a mail would look broken. */
export function alwaysPixel(serve: Serve, log: Log, shown: (asked: Asked) => string): Serve {
  return async (asked) => {
    try {
      return await serve(asked);
    } catch (thrown) {
      const { message, cause } = toApiError(thrown);
      log.warn({ path: shown(asked), reason: cause instanceof Error ? cause.message : message }, 'pixel not kept');
      return { status: 200, type: 'image/gif', body: PIXEL };
    }
  };
}
