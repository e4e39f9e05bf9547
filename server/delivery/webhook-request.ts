import type { PostRequest } from '../ports/transport.ts';
import type { Target, Webhook } from './target.ts';
import type { components } from '../../generated/config-api.d.ts';
import type { Event, JsonObject } from '../model/message.ts';
import { type KeyOf, signatureHeaders, type Unsigned } from './signatures.ts';

/** The service and its version, as receivers see it (HOOK-4). */
export const USER_AGENT = 'Waybill/0.1.0';

/**
 * One request per webhook, all with the same bytes (HOOK-3…HOOK-7). Fixed headers come last: none can be overridden. `traceparent` is
 * of the attempt, where it is traced.
 */
export function requestTo(
  webhook: Webhook,
  target: Target,
  unsigned: Unsigned,
  deadlineMs: number,
  { keyOf, traceparent }: { readonly keyOf?: KeyOf | undefined; readonly traceparent?: string | undefined } = {},
): Omit<PostRequest, 'workspace'> {
  const signed = signatureHeaders(target, unsigned, keyOf);
  const traced = target.traceContext === true && traceparent !== undefined ? { traceparent } : {};
  return {
    url: webhook.url,
    headers: { ...webhook.headers, 'User-Agent': USER_AGENT, 'Content-Type': 'application/json', ...signed, ...traced },
    body: unsigned.body,
    deadlineMs,
  };
}

export type WebhookEvent = components['schemas']['WebhookEvent'];

type Shared = Omit<components['schemas']['IdentifyEvent'], 'version' | 'type' | 'traits' | 'timestamp'>;

/**
 * The body of each kind (HOOK-12, D-27): the seed's fields first, then what else the event carries. What an event does
 * not have is left out. Ingestion drops calls that lack what their kind needs, so the empty texts only say so to the
 * compiler.
 */
const BODIES: { readonly [Type in Event['type']]: (event: Event) => WebhookEvent } = {
  page: (event) => ({
    version: 1,
    type: 'page',
    ...user(event),
    properties: event.properties ?? {},
    timestamp: event.timestamp,
    ...named(event),
    ...shared(event),
  }),
  screen: (event) => ({
    version: 1,
    type: 'screen',
    ...user(event),
    ...named(event),
    timestamp: event.timestamp,
    ...shared(event),
    ...(event.properties === undefined ? {} : { properties: event.properties }),
  }),
  identify: (event) => ({
    version: 1,
    type: 'identify',
    ...user(event),
    traits: event.traits ?? {},
    timestamp: event.timestamp,
    ...shared(event),
  }),
  track: (event) => ({
    version: 1,
    type: 'track',
    ...user(event),
    event: event.event ?? '',
    properties: event.properties ?? {},
    timestamp: event.timestamp,
    ...shared(event),
  }),
  alias: (event) => ({
    version: 1,
    type: 'alias',
    'Previous ID': event.previousId ?? '',
    'User ID': event.userId ?? '',
    timestamp: event.timestamp,
    previousId: event.previousId ?? '',
    ...user(event),
    ...shared(event),
  }),
  group: (event) => ({
    version: 1,
    type: 'group',
    groupId: event.groupId ?? '',
    ...user(event),
    traits: event.traits ?? {},
    timestamp: event.timestamp,
    ...shared(event),
  }),
  // It has no version (HOOK-12).
  delete: (event) => ({
    type: 'delete',
    userId: event.userId ?? '',
    // Earlier versions stored whole seconds, and what they left is still delivered (HOOK-13).
    timestamp: new Date(event.timestamp).toISOString(),
    messageId: event.messageId,
  }),
};

export function webhookBody(event: Event): WebhookEvent {
  return BODIES[event.type](event);
}

/** The bytes that are signed and sent: serialized once (HOOK-7). */
export function bytesOf(body: WebhookEvent | JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(body), 'utf8');
}

function user(event: Event): { userId?: string } {
  return event.userId === undefined ? {} : { userId: event.userId };
}

function named(event: Event): { name?: string; category?: string } {
  return {
    ...(event.name === undefined ? {} : { name: event.name }),
    ...(event.category === undefined ? {} : { category: event.category }),
  };
}

function shared(event: Event): Shared {
  const { messageId, anonymousId, context, integrations, originalTimestamp, sentAt, receivedAt } = event;
  return {
    messageId,
    ...(anonymousId === undefined ? {} : { anonymousId }),
    context,
    ...(integrations === undefined ? {} : { integrations }),
    ...(originalTimestamp === undefined ? {} : { originalTimestamp }),
    ...(sentAt === undefined ? {} : { sentAt }),
    receivedAt,
  };
}
