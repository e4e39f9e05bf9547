import type { Event, JsonObject } from '../ports/message.ts';

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

/** The event without these fields of the group; the event itself stays as it is. */
export function omit(event: Event, group: Group, paths: readonly (readonly string[])[]): Event {
  const whole = event[group];
  if (whole === undefined || paths.length === 0) return event;
  return { ...event, [group]: paths.reduce<JsonObject>((left, path) => withoutField(left, path), whole) };
}

function withoutField(object: JsonObject, [step = '', ...rest]: readonly string[]): JsonObject {
  if (!Object.hasOwn(object, step)) return object;
  const { [step]: value, ...others } = object;
  return rest.length === 0 ? others : { ...object, [step]: without(value, rest) };
}

function without(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const [step, ...rest] = path;
    return value.map((item: unknown, at) => (String(at) === step ? without(item, rest) : item));
  }
  if (typeof value !== 'object' || value === null) return value;
  // An object of JSON, as the group is.
  return withoutField({ ...value }, path);
}
