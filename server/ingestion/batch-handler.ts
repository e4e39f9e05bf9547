import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Call, Handler } from '../http/contract.ts';
import { ApiError } from '../http/errors.ts';
import { type Caller, sourcesOfCall } from './caller.ts';
import { type Envelope, openEnvelope, type Sender } from '../events/normalize-calls.ts';
import { EVENT_BYTES, EVENT_DEPTH, isTooDeep, jsonBytes, MERGED_BYTES } from '../events/event-limits.ts';
import type { CallPorts } from './call-handler.ts';

type Batch = operations['batch'];

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
