import { CALL_TYPES, type CallType, type Event, type JsonObject } from '../model/message.ts';
import { reasonToDrop } from './checks.ts';
import type { DropReason } from '../losses/dropped-events.ts';
import type { Envelope } from './normalize-calls.ts';
import { isObject, objectOf, wordOf } from '../model/json-values.ts';
import { addTimes, type Note } from './times.ts';

interface Fields {
  readonly words: readonly ('userId' | 'anonymousId' | 'groupId' | 'previousId' | 'event' | 'name' | 'category')[];
  readonly object?: 'properties' | 'traits';
}

/** What each kind of call carries beside what all carry (S 4.2). */
const FIELDS: Readonly<Record<CallType, Fields>> = {
  identify: { words: ['userId', 'anonymousId'], object: 'traits' },
  track: { words: ['userId', 'anonymousId', 'event'], object: 'properties' },
  page: { words: ['userId', 'anonymousId', 'name', 'category'], object: 'properties' },
  screen: { words: ['userId', 'anonymousId', 'name', 'category'], object: 'properties' },
  group: { words: ['userId', 'anonymousId', 'groupId'], object: 'traits' },
  // No anonymous id (ING-7).
  alias: { words: ['userId', 'previousId'] },
};

/**
 * One call as it was sent, made into an event, or why it is dropped. Pure but for `newId`, which names a call that
 * came without a messageId, and `note`, which is told why an event is not kept as it was sent. Never throws, whatever JSON
 * it is given.
 */
export function normalize(
  call: unknown,
  envelope: Envelope,
  newId: () => string,
  note: Note = () => {},
): Event | DropReason {
  if (!isObject(call)) return 'bad_request';
  const type = envelope.type ?? CALL_TYPES.find((known) => known === call['type']);
  if (type === undefined) return 'bad_request';
  return reasonToDrop(type, call) ?? toEvent(type, call, envelope, newId, note);
}

function toEvent(type: CallType, call: JsonObject, envelope: Envelope, newId: () => string, note: Note): Event {
  const draft: Draft = {
    type,
    messageId: wordOf(call['messageId']) ?? newId(),
    context: addressed(mergeUnder(envelope.context, objectIn(call, 'context')), envelope),
    timestamp: envelope.receivedText,
    receivedAt: envelope.receivedText,
  };
  addTimes(draft, call, envelope, note);
  addFields(draft, call, FIELDS[type]);
  const integrations = mergeIntegrations(envelope.integrations, objectIn(call, 'integrations'));
  if (integrations !== undefined) draft.integrations = integrations;
  return draft;
}

/**
 * The context as supplied; for pages and apps, and where it says that it is sent `direct`, with the address of the
 * connection. A server's own address would say nothing of the user, so it is never added (ING-8).
 */
function addressed(context: JsonObject, { sender, ip }: Envelope): JsonObject {
  if (ip === undefined || (sender === 'server' && context['direct'] !== true)) return context;
  return context['ip'] === undefined || context['ip'] === null ? { ...context, ip } : context;
}

function addFields(draft: Draft, call: JsonObject, { words, object }: Fields): void {
  for (const key of words) {
    const word = wordOf(call[key]);
    if (word !== undefined) draft[key] = word;
  }
  const found = object && objectIn(call, object);
  if (object !== undefined && found !== undefined) draft[object] = found;
}

function objectIn(call: JsonObject, key: string): JsonObject | undefined {
  const object = objectOf(call[key]);
  return object === 'no object' ? undefined : object;
}

/** How far objects within objects are merged; below, the event's own value stands. A bound, so that no depth sent is one too many. */
const DEPTH = 8;

/**
 * An event's own values over those of its batch; objects that both have are merged in the same way. Neither is changed.
 * A key `__proto__` stays what it is in JSON, a plain value: spreading makes it so, and nothing is added afterwards.
 */
function mergeUnder(batch: JsonObject | undefined, own: JsonObject | undefined, depth = DEPTH): JsonObject {
  if (batch === undefined) return own ?? {};
  if (own === undefined) return batch;
  const merged = { ...batch, ...own };
  if (depth === 0) return merged;
  for (const key of Object.keys(batch)) {
    if (!Object.hasOwn(own, key)) continue;
    const [theirs, ours] = [batch[key], own[key]];
    if (isObject(theirs) && isObject(ours)) merged[key] = mergeUnder(theirs, ours, depth - 1);
  }
  return merged;
}

/**
 * As `mergeUnder`; but null says nothing of a destination, so the batch's word stands, and an event's own `all` also
 * stands over the batch's `All`: they mean the same (D-45).
 */
function mergeIntegrations(batch: JsonObject | undefined, own: JsonObject | undefined): JsonObject | undefined {
  if (batch === undefined || own === undefined) return own ?? batch;
  const said: JsonObject = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  if (said['all'] === undefined && said['All'] === undefined) return mergeUnder(batch, said);
  const { all: _all, All: _All, ...rest } = batch;
  return mergeUnder(rest, said);
}

/** An event while it is being put together. */
export type Draft = { -readonly [Key in keyof Event]: Event[Key] };
