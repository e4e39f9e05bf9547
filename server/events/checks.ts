import type { CallType, JsonObject } from '../model/message.ts';
import type { DropReason } from '../losses/dropped-events.ts';
import { wordOf, objectOf, textOf } from '../model/json-values.ts';

/** Why a call cannot be an event; undefined when this check finds nothing. */
type Check = (call: JsonObject) => DropReason | undefined;

/** What each kind of call needs. Absent and null are the same; the first check that fails names the reason. */
const CHECKS: Readonly<Record<CallType, readonly Check[]>> = {
  identify: [isIdentified, hasObjectTraits],
  track: [isIdentified, hasEvent, hasObjectProperties],
  page: [isIdentified, hasTextName, hasTextCategory, hasObjectProperties],
  screen: [isIdentified, hasTextName, hasTextCategory, hasObjectProperties],
  group: [isIdentified, hasGroupId, hasObjectTraits],
  alias: [hasBothIds],
};

export function reasonToDrop(type: CallType, call: JsonObject): DropReason | undefined {
  for (const check of CHECKS[type]) {
    const reason = check(call);
    if (reason !== undefined) return reason;
  }
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

function hasObjectProperties({ properties }: JsonObject): DropReason | undefined {
  return objectOf(properties) === 'no object' ? 'properties_not_object' : undefined;
}

function hasObjectTraits({ traits }: JsonObject): DropReason | undefined {
  return objectOf(traits) === 'no object' ? 'traits_not_object' : undefined;
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
