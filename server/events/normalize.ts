import { CALL_TYPES, type CallType, type Event, type JsonObject } from '../model/message.ts';
import type { DropReason } from '../losses/dropped-events.ts';
import type { Envelope } from './normalize-calls.ts';
import { isObject, objectOf, textOf, wordOf } from '../model/json-values.ts';
import { addTimes, type Note } from './times.ts';

/** Why a call cannot be an event; undefined when this check finds nothing. */
type Check = (call: JsonObject) => DropReason | undefined;

/** What a call needs, and what it carries, beside what all do. Absent and null are the same; the first check that fails names the reason. */
interface Kind {
  readonly needs: readonly Check[];
  readonly words: readonly ('userId' | 'anonymousId' | 'groupId' | 'previousId' | 'event' | 'name' | 'category')[];
  readonly object?: 'properties' | 'traits';
}

const PAGE: Kind = {
  needs: [isIdentified, hasTextName, hasTextCategory],
  words: ['userId', 'anonymousId', 'name', 'category'],
  object: 'properties',
};

/** The kinds of calls (S 4.2). */
const KINDS: Readonly<Record<CallType, Kind>> = {
  identify: { needs: [isIdentified], words: ['userId', 'anonymousId'], object: 'traits' },
  track: { needs: [isIdentified, hasEvent], words: ['userId', 'anonymousId', 'event'], object: 'properties' },
  page: PAGE,
  screen: PAGE,
  group: { needs: [isIdentified, hasGroupId], words: ['userId', 'anonymousId', 'groupId'], object: 'traits' },
  // No anonymous id (ING-7).
  alias: { needs: [hasBothIds], words: ['userId', 'previousId'] },
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

function reasonToDrop(type: CallType, call: JsonObject): DropReason | undefined {
  const { needs, object } = KINDS[type];
  for (const check of needs) {
    const reason = check(call);
    if (reason !== undefined) return reason;
  }
  if (object !== undefined && objectOf(call[object]) === 'no object') return `${object}_not_object`;
  return hasObjectSurroundings(call);
}

/** An empty id is none: SDKs send it beside the other one. */
function isIdentified(call: JsonObject): DropReason | undefined {
  const { userId, anonymousId } = call;
  if (isNoId(userId) || isNoId(anonymousId)) return 'id_not_string';
  if (wordOf(userId) !== undefined || wordOf(anonymousId) !== undefined) return undefined;
  return userId === '' || anonymousId === '' ? 'id_not_string' : 'no_user_anon_id';
}

function hasGroupId(call: JsonObject): DropReason | undefined {
  return requiredId(call['groupId']);
}

/** An anonymous id is not available on alias (ING-7), so it cannot stand in for the user's. */
function hasBothIds(call: JsonObject): DropReason | undefined {
  return requiredId(call['userId']) ?? requiredId(call['previousId']);
}

function requiredId(id: unknown): DropReason | undefined {
  if (isNoId(id)) return 'id_not_string';
  return wordOf(id) === undefined ? 'id_required' : undefined;
}

function isNoId(value: unknown): boolean {
  return isGiven(value) && textOf(value) === undefined;
}

function hasEvent({ event }: JsonObject): DropReason | undefined {
  if (!isGiven(event) || event === '') return 'event_not_defined';
  return typeof event === 'string' ? undefined : 'event_not_string';
}

function hasTextName({ name }: JsonObject): DropReason | undefined {
  return isGiven(name) && wordOf(name) === undefined ? 'name_not_string' : undefined;
}

function hasTextCategory({ category }: JsonObject): DropReason | undefined {
  return isGiven(category) && textOf(category) === undefined ? 'category_not_string' : undefined;
}

function hasObjectSurroundings({ context, integrations }: JsonObject): DropReason | undefined {
  const around = objectOf(context);
  if (around === 'no object' || objectOf(integrations) === 'no object') return 'bad_request';
  const device = objectOf(around?.['device']);
  if (device === undefined || device === 'no object') return undefined;
  const { advertisingId } = device;
  return isGiven(advertisingId) && typeof advertisingId !== 'string' ? 'bad_request' : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
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
  addFields(draft, call, KINDS[type]);
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

function addFields(draft: Draft, call: JsonObject, { words, object }: Kind): void {
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
