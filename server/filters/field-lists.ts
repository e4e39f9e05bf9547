import { splitPath, unescape } from '../fql/tokenize.ts';
import type { FilterAction } from '../ports/filter.ts';
import type { Event, JsonObject } from '../ports/message.ts';

type FieldLists = NonNullable<FilterAction['fields']>;

const GROUPS = ['context', 'properties', 'traits'] as const;

/** The event without the listed fields. */
export function withoutFields(event: Event, lists: FieldLists): Event {
  return changeGroups(event, lists, (group, paths) => paths.reduce(without, group));
}

/** The event with nothing but the listed fields in the groups that are named; other groups stay whole. */
export function onlyFields(event: Event, lists: FieldLists): Event {
  return changeGroups(event, lists, (group, paths) =>
    paths.reduce<JsonObject>((kept, path) => withCopy(kept, group, path), {}),
  );
}

type Path = readonly string[];

function changeGroups(
  event: Event,
  lists: FieldLists,
  change: (group: JsonObject, paths: Path[]) => JsonObject,
): Event {
  const changed: Partial<Record<(typeof GROUPS)[number], JsonObject>> = {};
  for (const name of GROUPS) {
    const [list, group] = [lists[name], event[name]];
    if (list !== undefined && group !== undefined) changed[name] = change(group, list.fields.map(stepsOf));
  }
  return { ...event, ...changed };
}

/** As in conditions: steps joined by dots, with a backslash before a dot that belongs to a name. */
function stepsOf(path: string): string[] {
  return splitPath(path).map(unescape);
}

function without(object: JsonObject, [step = '', ...rest]: Path): JsonObject {
  if (!Object.hasOwn(object, step)) return object;
  const { [step]: value, ...others } = object;
  if (rest.length === 0) return others;
  return isObject(value) ? { ...object, [step]: without(value, rest) } : object;
}

function withCopy(kept: JsonObject, from: JsonObject, [step = '', ...rest]: Path): JsonObject {
  if (!Object.hasOwn(from, step)) return kept;
  const value = from[step];
  if (rest.length === 0) return { ...kept, [step]: value };
  if (!isObject(value)) return kept;
  const before = Object.hasOwn(kept, step) ? kept[step] : undefined;
  const inner = withCopy(isObject(before) ? before : {}, value, rest);
  return Object.keys(inner).length === 0 ? kept : { ...kept, [step]: inner };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
