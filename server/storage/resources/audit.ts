import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/json-values.ts';
import type { AuditEntry } from '../../model/resources.ts';
import type { Entry } from '../config-store.ts';

/** So many entries of a workspace are kept, and of the root … */
export const MAX_ENTRIES = 1_000;
/** … for so long, by the wall clock, which entries are dated by. */
const ENTRIES_FOR_MS = 90 * 86_400_000;

/** Characters of the paths in one entry: people choose the names of settings and labels, and every router has the entries in memory. */
const PATHS_LENGTH = 4_000;

/** Paths of what an update changed; where they are more than people read, its fields. Values are never part of them. */
export function changedFields(before: object, after: object): string[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  const paths = new Set([...one.keys(), ...other.keys()]);
  const changed = [...paths].filter((path) => !isDeepStrictEqual(one.get(path), other.get(path)));
  // The router sets it by itself.
  const told = changed.filter((path) => path !== 'update_time').toSorted();
  if (told.join().length <= PATHS_LENGTH) return told;
  return [...new Set(told.map((path) => path.split('.', 1).join()))];
}

/** Fields, and those of fields that are objects or lists of named settings, by their paths. */
function fieldsOf(resource: object): Map<string, unknown> {
  const fields = Object.entries(resource).flatMap(([field, value]): [string, unknown][] => {
    const below = entriesIn(value);
    return below === undefined ? [[field, value]] : below.map(([key, inner]) => [`${field}.${key}`, inner]);
  });
  return new Map(fields);
}

/** The settings of a destination are a list in the API, each with the path of a name. */
function entriesIn(value: unknown): [string, unknown][] | undefined {
  if (isObject(value)) return Object.entries(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const named = value.map((item: unknown) => (isObject(item) ? item['name'] : undefined));
  if (!named.every((name) => typeof name === 'string')) return undefined;
  return value.map((item: unknown, index) => [String(named[index]).split('/').at(-1) ?? '', item]);
}

/**
 * The names of entries that a new one pushes out, which is among them: always the first ones, also where a clock was wrong, so that what
 * is kept can be told by where it begins.
 */
export function outdatedEntries(entries: readonly Entry<AuditEntry>[], now: string): string[] {
  const excess = entries.length - MAX_ENTRIES;
  const since = new Date(Date.parse(now) - ENTRIES_FOR_MS).toISOString();
  const first = entries.findIndex((entry, index) => index >= excess && entry.resource.create_time >= since);
  return entries.slice(0, first < 0 ? entries.length : first).map(({ name }) => name);
}
