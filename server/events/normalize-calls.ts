import type { CallType, Event, JsonObject } from '../model/message.ts';
import { BATCH_EVENTS, createLimits } from './event-limits.ts';
import { normalize } from './normalize.ts';
import type { Loss, Outcome } from './stage.ts';
import { lettersAndDigits } from '../random-token.ts';
import { createIsoWriter, instantOf } from './times.ts';
import { objectOf, wordOf } from '../model/json-values.ts';

/** The calls of one request, as they were sent. */
export interface Received {
  /** Full resource name of the source. */
  readonly source: string;
  /** By the configuration of now, for events that passed by an older one; rejects where they are not wanted any more. */
  readonly sourceNow: () => Promise<{ readonly name: string }>;
  readonly envelope: Envelope;
  readonly calls: readonly unknown[];
  readonly bodyBytes: number;
}

type Calls = Pick<Received, 'calls' | 'envelope' | 'bodyBytes'>;

/** Makes events of calls. Each call that cannot be one is dropped alone, and what was adjusted in the others is told (D-42). */
export function normalizeCalls({ calls, envelope, bodyBytes }: Calls, newId: () => string): Outcome {
  if (calls.length === 0) return { kept: [], losses: [{ reason: 'empty_batch', count: 1 }] };
  if (calls.length > BATCH_EVENTS) return { kept: [], losses: [{ reason: 'too_many_events', count: calls.length }] };
  const kept: Event[] = [];
  const losses: Loss[] = [];
  const limits = createLimits(bodyBytes);
  for (const call of calls) {
    const made = limits?.(call) ?? normalize(call, envelope, newId, (reason) => losses.push({ event: call, reason }));
    if (typeof made === 'string') losses.push({ event: call, reason: made });
    else kept.push(made);
  }
  return { kept, losses };
}

/** The id of an event that came without one: `api-` and 27 letters and digits, as those of the field look. */
export function newMessageId(): string {
  // Joined, as in times.ts: a text in pieces makes the JSON of its event twice as dear.
  return ['api-', lettersAndDigits(27)].join('');
}

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
  /** Of the trace that the sender began, as sent. */
  readonly traceparent?: string | undefined;
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
  readonly traceparent?: string | undefined;
  readonly sender?: Sender;
  readonly type?: CallType;
  /** Of its own where not given: a writer is quick for what lies close to what it wrote before. */
  readonly iso?: Envelope['iso'];
}

/** What is no object or no time is taken as absent here: it is not the fault of the events (D-42). */
export function openEnvelope(
  raw: RawEnvelope,
  { receivedAt, ip, traceparent, type, sender = 'server', iso = createIsoWriter() }: Arrival,
): Envelope {
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
    traceparent,
  };
}

/** An empty object says nothing, so that most batches have nothing to merge. */
function filledObject(value: unknown): JsonObject | undefined {
  const object = objectOf(value);
  return typeof object === 'object' && Object.keys(object).length > 0 ? object : undefined;
}
