import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Call, Handler } from '../http/contract.ts';
import { ApiError } from '../http/errors.ts';
import type { CallType } from '../model/message.ts';
import { type Caller, type KeyPorts, sourcesOfCall } from './caller.ts';
import { openEnvelope, type Sender } from '../events/normalize-calls.ts';
import { EVENT_BYTES, isTooDeep, jsonBytes } from '../events/event-limits.ts';
import type { Pipeline } from '../events/pipeline.ts';

type Single = operations['track'];

export interface CallPorts extends KeyPorts {
  readonly pipeline: Pick<Pipeline, 'receive' | 'drop'>;
  /** Writes an instant as ISO 8601. */
  readonly iso: (instant: number) => string;
}

/** The addresses of single calls share one shape of body; the route says which call it is, and who sends there. */
export function callHandler(ports: CallPorts, type: CallType, sender: Sender): Handler<Single, Caller> {
  return async ({ query, body, bodyBytes, caller }: Call<Single, Caller>) => {
    const places = { holders: [query, body] };
    const sources = await sourcesOfCall(ports, caller, places);
    const envelope = openEnvelope({}, { ...caller, sender, type, iso: ports.iso });
    // One that is nested too deeply cannot be measured, and is dropped below.
    if (bodyBytes > EVENT_BYTES && !isTooDeep(body) && jsonBytes(body) > EVENT_BYTES) {
      ports.pipeline.drop(sources.source, envelope, body, 'event_too_large');
      throw new ApiError('PayloadTooLarge', `the event is larger than ${EVENT_BYTES} bytes`);
    }
    await ports.pipeline.receive({ ...sources, envelope, calls: [body], bodyBytes });
    return { success: true };
  };
}
