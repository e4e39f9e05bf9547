import type { Budget } from '../evaluation/budget.ts';
import { FIELD_STEPS, type Listed, listedBy, mapFields } from '../filters/field-lists.ts';
import type { Event, JsonObject } from '../model/message.ts';

/** What of an event can be left out. */
export type Group = 'properties' | 'traits';

/** The nearest field around a place of the event that can be left out: an item of a list goes with its list. */
export function omittable(event: Event, group: Group, steps: readonly string[]): readonly string[] | undefined {
  if (steps[0] !== group) return undefined;
  let inner: unknown = event[group];
  let end = 0;
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) break;
    if (!Array.isArray(inner)) end = index;
    inner = Reflect.get(inner, step);
  }
  return end === 0 ? undefined : steps.slice(1, end + 1);
}

/** The event without these fields of the group; the event itself stays as it is. Gone through once, however many they are. */
export function omit(event: Event, group: Group, paths: readonly (readonly string[])[], budget: Budget): Event {
  const whole = event[group];
  if (whole === undefined || paths.length === 0) return event;
  return { ...event, [group]: withoutFields(whole, listedBy(paths), budget) };
}

function withoutFields(object: JsonObject, listed: Listed, budget: Budget): JsonObject {
  return mapFields(object, budget, (key, value) => {
    const what = listed.get(key);
    if (what === 'whole') return undefined;
    return { value: what === undefined ? value : without(value, what, budget) };
  });
}

function without(value: unknown, listed: Listed, budget: Budget): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // An object of JSON, as the group is.
  if (!Array.isArray(value)) return withoutFields({ ...value }, listed, budget);
  budget.spend(FIELD_STEPS * value.length);
  return value.map((item: unknown, at) => {
    const what = listed.get(String(at));
    return what === undefined || what === 'whole' ? item : without(item, what, budget);
  });
}
