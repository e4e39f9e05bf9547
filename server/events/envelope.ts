import { type CallType, type JsonObject } from '../model/message.ts';
import { createIsoWriter, instantOf } from './times.ts';
import { objectOf, wordOf } from './json-values.ts';

/** Who sends: an application's server, or a page or app in the hands of a user. */
export type Sender = 'server' | 'client';

/** What a request says for all of its calls. */
export interface Envelope {
  /** The type that the route gives; in a batch each call names its own. */
  readonly type?: CallType | undefined;
  readonly context?: JsonObject | undefined;
  readonly integrations?: JsonObject | undefined;
  /** As sent. */
  readonly sentAt?: string | undefined;
  readonly sentInstant?: number | undefined;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly receivedText: string;
  readonly iso: (instant: number) => string;
  readonly sender: Sender;
  /** The address that the request came from. */
  readonly ip?: string | undefined;
}

/** What stands around the calls of a batch, as sent; a `type` there says nothing of its calls. */
interface RawEnvelope {
  readonly sentAt?: unknown;
  readonly context?: unknown;
  readonly integrations?: unknown;
}

/** The request that the calls came with. */
interface Arrival {
  readonly receivedAt: number;
  readonly ip?: string | undefined;
  readonly sender?: Sender;
  readonly type?: CallType;
}

/** What is no object or no time is taken as absent here: it is not the fault of the events (D-42). */
export function openEnvelope(raw: RawEnvelope, { receivedAt, ip, type, sender = 'server' }: Arrival): Envelope {
  const iso = createIsoWriter();
  return {
    type,
    context: filledObject(raw.context),
    integrations: filledObject(raw.integrations),
    sentAt: wordOf(raw.sentAt),
    sentInstant: instantOf(raw.sentAt),
    receivedAt,
    receivedText: iso(receivedAt),
    iso,
    sender,
    ip,
  };
}

/** An empty object says nothing, so that most batches have nothing to merge. */
function filledObject(value: unknown): JsonObject | undefined {
  const object = objectOf(value);
  return typeof object === 'object' && Object.keys(object).length > 0 ? object : undefined;
}
