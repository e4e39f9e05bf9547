import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Call, Handler, Handlers } from '../http/contract.ts';
import { ApiError } from '../http/errors.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { CallType } from '../ports/message.ts';
import { type Envelope, openEnvelope } from './envelope.ts';
import { createSizeCheck, jsonBytes } from './event-size.ts';
import { EVENT_BYTES, MERGED_BYTES } from './limits.ts';
import { noteDrops, receive, type ReceivePorts } from './receive.ts';
import { keyInBody, type Source, sourceOf } from './write-key.ts';

/** What is known of a sender before its body is read. */
export interface Caller {
  /** The source of the key in the header; undefined when the key has to be in the body. */
  readonly source: Source | undefined;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

export interface HandlerPorts extends ReceivePorts {
  readonly config: ConfigStore;
}

/** Every operation of the ingestion document. */
export function ingestionHandlers(ports: HandlerPorts): Handlers<operations, Caller> {
  return {
    batch: batchHandler(ports),
    identify: callHandler(ports, 'identify'),
    track: callHandler(ports, 'track'),
    page: callHandler(ports, 'page'),
    screen: callHandler(ports, 'screen'),
    group: callHandler(ports, 'group'),
    alias: callHandler(ports, 'alias'),
  };
}

function batchHandler(ports: HandlerPorts): Handler<operations['batch'], Caller> {
  return async ({ body, bodyBytes, caller }) => {
    const { name } = caller.source ?? (await sourceOf(ports.config, keyInBody(body)));
    const envelope = openEnvelope(body, caller.receivedAt);
    refuseOversizeEnvelope(envelope, body.batch.length);
    await receive(ports, { source: name, envelope, calls: body.batch, bodyBytes });
    return { success: true };
  };
}

/** The six share one shape of body; the route says which call it is. */
function callHandler(ports: HandlerPorts, type: CallType): Handler<operations[CallType], Caller> {
  return async ({ body, bodyBytes, caller }: Call<operations[CallType], Caller>) => {
    const { name } = caller.source ?? (await sourceOf(ports.config, keyInBody(body)));
    if (createSizeCheck(bodyBytes)(body)) {
      noteDrops(ports, name, new Map([['event_too_large', 1]]));
      throw new ApiError('PayloadTooLarge', `the event is larger than ${EVENT_BYTES} bytes`);
    }
    await receive(ports, {
      source: name,
      envelope: openEnvelope({ type }, caller.receivedAt),
      calls: [body],
      bodyBytes,
    });
    return { success: true };
  };
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
