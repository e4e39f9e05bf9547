import { isObject } from '../model/json-values.ts';
import type { Budget } from '../evaluation/budget.ts';
import { splitPath, unescape } from '../fql/tokenize.ts';
import type { FilterAction } from '../model/resources.ts';
import type { Event, JsonObject } from '../model/message.ts';

const GROUPS = ['context', 'properties', 'traits'] as const;
type Group = (typeof GROUPS)[number];

/** Listed fields by their first step: each as a whole, or what is listed within it. */
export interface Listed extends ReadonlyMap<string, 'whole' | Listed> {}

/** The fields that an action lists, read once: an event is gone through once, however many they are. */
export type FieldLists = ReadonlyMap<Group, Listed>;

export function readFieldLists(fields: FilterAction['fields'] = {}): FieldLists {
  return new Map(GROUPS.flatMap((group) => (fields[group] ? [[group, readPaths(fields[group].fields)] as const] : [])));
}

type Tree = Map<string, 'whole' | Tree>;

/** Paths as they are listed. As in conditions: steps joined by dots, with a backslash before a dot that belongs to a name. */
export function readPaths(paths: readonly string[]): Listed {
  return listedBy(paths.map((path) => splitPath(path).map(unescape)));
}

/** Fields by the steps that lead to them. */
export function listedBy(paths: readonly (readonly string[])[]): Listed {
  const root: Tree = new Map();
  for (const steps of paths) list(root, steps);
  return root;
}

function list(root: Tree, steps: readonly string[]): void {
  let tree = root;
  for (const step of steps.slice(0, -1)) {
    const inner = tree.get(step) ?? new Map<string, 'whole' | Tree>();
    if (inner === 'whole') return;
    tree.set(step, inner);
    tree = inner;
  }
  tree.set(steps.at(-1) ?? '', 'whole');
}

/** The event without the listed fields. */
export function withoutFields(event: Event, lists: FieldLists, budget: Budget): Event {
  return changeGroups(event, lists, (group, listed) => withoutListed(group, listed, budget));
}

/** The event with nothing but the listed fields in the groups that are named; other groups stay whole. */
export function onlyFields(event: Event, lists: FieldLists, budget: Budget): Event {
  return changeGroups(event, lists, (group, listed) => onlyListed(group, listed, budget));
}

/** The event with nothing in the groups that are named: what stays where it cannot be told what may. */
export function withoutGroups(event: Event, all: readonly { readonly lists: FieldLists }[]): Event {
  const named = new Map(all.flatMap(({ lists }) => [...lists]));
  return changeGroups(event, named, () => ({}));
}

function changeGroups(
  event: Event,
  lists: FieldLists,
  change: (group: JsonObject, listed: Listed) => JsonObject,
): Event {
  const changed: Partial<Record<Group, JsonObject>> = {};
  for (const [name, listed] of lists) {
    const group = event[name];
    if (group !== undefined) changed[name] = change(group, listed);
  }
  return { ...event, ...changed };
}

/** Whether paths lead into the objects of a list, too; else a list is a value of its own. */
export type Reach = 'objects' | 'lists too';

export function withoutListed(
  object: JsonObject,
  listed: Listed,
  budget: Budget,
  reach: Reach = 'objects',
): JsonObject {
  const within = (value: unknown, what: Listed): unknown => {
    if (isObject(value)) return withoutListed(value, what, budget, reach);
    return reach === 'lists too' && Array.isArray(value) ? eachOf(value, budget, (item) => within(item, what)) : value;
  };
  return mapFields(object, budget, (key, value) => {
    const what = listed.get(key);
    if (what === 'whole') return undefined;
    return { value: what === undefined ? value : within(value, what) };
  });
}

/** An object of which nothing is listed is not kept, nor is one, or a list, that nothing is left of. */
export function onlyListed(object: JsonObject, listed: Listed, budget: Budget, reach: Reach = 'objects'): JsonObject {
  const within = (value: unknown, what: Listed): object | undefined => {
    if (isObject(value)) return filled(onlyListed(value, what, budget, reach));
    if (reach === 'objects' || !Array.isArray(value)) return undefined;
    return filled(eachOf(value, budget, (item) => within(item, what)).filter((item) => item !== undefined));
  };
  return mapFields(object, budget, (key, value) => {
    const what = listed.get(key);
    if (what === undefined || what === 'whole') return what && { value };
    const left = within(value, what);
    return left && { value: left };
  });
}

function filled(value: object): object | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

function eachOf<Value>(items: readonly unknown[], budget: Budget, change: (item: unknown) => Value): Value[] {
  budget.spend(items.length);
  return items.map(change);
}

/** Of each field of an object that is written anew. */
export const FIELD_STEPS = 60;

/** A field for which nothing is returned is left out; a name like `__proto__` is a name as any other. */
export function mapFields(
  object: JsonObject,
  budget: Budget,
  change: (key: string, value: unknown) => { readonly value: unknown } | undefined,
): JsonObject {
  const entries = Object.entries(object);
  budget.spend(FIELD_STEPS * entries.length);
  const left: [string, unknown][] = [];
  for (const [key, value] of entries) {
    const changed = change(key, value);
    if (changed !== undefined) left.push([key, changed.value]);
  }
  return Object.fromEntries(left);
}
