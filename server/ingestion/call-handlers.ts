import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Call, Handler } from '../http/contract.ts';
import { ApiError } from '../http/errors.ts';
import type { CallType } from '../model/message.ts';
import { type Caller, type KeyPorts, sourcesOfCall } from './caller.ts';
import { type Envelope, openEnvelope, type Sender } from '../events/normalize-calls.ts';
import { EVENT_BYTES, EVENT_DEPTH, isTooDeep, jsonBytes, MERGED_BYTES } from '../events/event-limits.ts';
import type { Pipeline } from '../events/pipeline.ts';

type Single = operations['track'];
type Batch = operations['batch'];

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

/** The addresses of batches differ in who sends there. */
export function batchHandler(ports: CallPorts, sender: Sender): Handler<Batch, Caller> {
  return async ({ query, body, bodyBytes, caller }: Call<Batch, Caller>) => {
    const places = { holders: [query, body], calls: body.batch };
    const sources = await sourcesOfCall(ports, caller, places);
    const envelope = openEnvelope(body, { ...caller, sender, iso: ports.iso });
    refuseDeepEnvelope(envelope);
    refuseOversizeEnvelope(envelope, body.batch.length);
    await ports.pipeline.receive({ ...sources, envelope, calls: body.batch, bodyBytes });
    return { success: true };
  };
}

/** Of the levels that an event may have, it is one itself. */
function refuseDeepEnvelope({ context, integrations }: Envelope): void {
  if (!isTooDeep([context, integrations])) return;
  const limit = `${EVENT_DEPTH} levels`;
  throw new ApiError('InvalidArgument', `context or integrations of the batch are nested deeper than ${limit}`);
}

/** Refused whole, because the events are not to blame: they would be stored with it, each of them. */
function refuseOversizeEnvelope({ context, integrations }: Envelope, events: number): void {
  if (context === undefined && integrations === undefined) return;
  const bytes = jsonBytes([context, integrations]);
  if (bytes <= EVENT_BYTES && bytes * events <= MERGED_BYTES) return;
  throw new ApiError(
    'PayloadTooLarge',
    `context and integrations of the batch take ${bytes} bytes, too many to be merged into ${events} events`,
  );
}
