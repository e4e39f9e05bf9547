import { isObject } from '../model/json-values.ts';
import { type Form, KEYWORDS, REPEATING, TYPES } from './keywords.ts';
import { RULE_LIMITS } from './limits.ts';
import { lookUp } from './reference.ts';
import { count, type Counts, countSchema, valuesIn } from './rule-size.ts';
import { SchemaFault } from './schema-fault.ts';
import type { Fields } from './schema-parts.ts';

/** A schema of draft-07 that holds nothing but what checks values: no reference, no name, no keyword that is not known. */
export type CleanSchema = boolean | Fields;

export interface ReadSchema {
  readonly schema: CleanSchema;
  /** Its regular expressions, not read yet, each with the first place where it stands. */
  readonly patterns: ReadonlyMap<string, string>;
  /** Values in it, each reference counted as what it stands for. */
  readonly values: number;
  /** Of its JSON. */
  readonly bytes: number;
}

/** Where in a rule the reading is. */
interface At {
  readonly place: string;
  readonly root: unknown;
  readonly depth: number;
  readonly isRepeated: boolean;
  /** The references that led here: one that comes again has no end. */
  readonly open: readonly string[];
  readonly counts: Counts;
  readonly patterns: Map<string, string>;
  /** What each reference leads to: a long one is not looked up again and again. */
  readonly targets: Map<string, unknown>;
}

/**
 * Reads a rule as people and tools write it (draft-04 to draft-07), but for its regular expressions. What it refuses, it
 * throws as a SchemaFault. Nothing is ever fetched: a reference leads to a place in the same rule.
 */
export function readSchema(raw: unknown, place: string): ReadSchema {
  const bytes = Buffer.byteLength(JSON.stringify(raw) ?? '');
  if (bytes > RULE_LIMITS.bytes) throw new SchemaFault(place, `takes ${bytes} bytes of at most ${RULE_LIMITS.bytes}`);
  const [counts, patterns] = [{ schemas: 0, values: 0, repeated: 0 }, new Map<string, string>()];
  const start = { place, root: raw, depth: 0, isRepeated: false, open: [], counts, patterns, targets: new Map() };
  return { schema: read(raw, start), patterns, values: counts.values, bytes };
}

function read(raw: unknown, at: At): CleanSchema {
  countSchema(at);
  if (typeof raw === 'boolean') return raw;
  if (!isObject(raw)) throw new SchemaFault(at.place, `must be a JSON Schema, got ${shown(raw)}`);
  if (at.depth > RULE_LIMITS.depth) {
    throw new SchemaFault(at.place, `is nested deeper than ${RULE_LIMITS.depth} schemas`);
  }
  const reference = raw['$ref'];
  if (reference !== undefined && reference !== null) return follow(reference, at);
  const fields: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(withExclusiveBounds(raw))) {
    const form = KEYWORDS.get(keyword);
    // As everywhere on input null stands for a field that was left out; as a constant it is a value.
    if (form === undefined || (value === null && form !== 'any')) continue;
    const isRepeated = at.isRepeated || REPEATING.has(keyword);
    fields.push([keyword, readKeyword(form, value, { ...at, place: `${at.place}.${keyword}`, isRepeated })]);
  }
  return Object.fromEntries(fields);
}

/** As draft-07 has it, what stands beside a reference does not count. */
function follow(reference: unknown, at: At): CleanSchema {
  const place = `${at.place}.$ref`;
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) {
    const way = 'a reference leads to a place in the same rule, like "#/definitions/price"';
    throw new SchemaFault(place, `${shown(reference)} is not followed: ${way}`);
  }
  if (reference === '#' || at.open.includes(reference)) {
    throw new SchemaFault(place, `${shown(reference)} leads back to itself: write out as many levels as there are`);
  }
  const target = at.targets.get(reference) ?? lookUp(at.root, reference);
  at.targets.set(reference, target);
  if (target === undefined) throw new SchemaFault(place, `${shown(reference)} leads to nothing in this rule`);
  return read(target, { ...at, place, depth: at.depth + 1, open: [...at.open, reference] });
}

/** In draft-04 `exclusiveMinimum` says of `minimum` that it is exclusive. */
function withExclusiveBounds(raw: Fields): Fields {
  let fields = raw;
  for (const bound of ['minimum', 'maximum']) {
    const name = `exclusive${bound.replace('m', 'M')}`;
    const flag = raw[name];
    if (typeof flag !== 'boolean') continue;
    const { [name]: _flag, ...rest } = fields;
    fields = flag && raw[bound] !== undefined ? { ...rest, [name]: raw[bound] } : rest;
  }
  return fields;
}

function readKeyword(form: Form, value: unknown, at: At): unknown {
  switch (form) {
    case 'schema':
      return read(value, deeper(at));
    case 'schemas':
      return listOf(value, at, (item, where) => read(item, deeper(where)));
    case 'items':
      return Array.isArray(value) ? readKeyword('schemas', value, at) : readKeyword('schema', value, at);
    case 'schemaMap':
      return mapOf(value, at, (item, where) => read(item, deeper(where)));
    case 'patternMap':
      for (const pattern of Object.keys(isObject(value) ? value : {})) notePattern(pattern, at);
      return readKeyword('schemaMap', value, at);
    case 'dependencies':
      return mapOf(value, at, (item, where) => readKeyword(Array.isArray(item) ? 'names' : 'schema', item, where));
    case 'any':
    case 'choices':
    case 'count':
    case 'flag':
    case 'names':
    case 'number':
    case 'pattern':
    case 'positive':
    case 'text':
    case 'types':
      return readValue(form, value, at);
  }
}

type ValueForm = Exclude<Form, 'schema' | 'schemas' | 'items' | 'schemaMap' | 'patternMap' | 'dependencies'>;

const WORDS: Readonly<Record<ValueForm, string>> = {
  any: '',
  choices: 'a list of at least one value',
  count: 'a whole number from 0 up',
  flag: 'true or false',
  names: 'a list of names',
  number: 'a number',
  pattern: 'text',
  positive: 'a number above 0',
  text: 'text',
  types: `one or more of ${TYPES.join(', ')}`,
};

const FITS: Readonly<Record<ValueForm, (value: unknown) => boolean>> = {
  any: () => true,
  choices: (value) => Array.isArray(value) && value.length > 0,
  count: (value) => Number.isInteger(value) && Number(value) >= 0,
  flag: (value) => typeof value === 'boolean',
  names: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  number: (value) => typeof value === 'number',
  pattern: (value) => typeof value === 'string',
  positive: (value) => typeof value === 'number' && value > 0,
  text: (value) => typeof value === 'string',
  types: (value) => [value].flat().every((type) => typeof type === 'string' && TYPES.includes(type)),
};

function readValue(form: ValueForm, value: unknown, at: At): unknown {
  if (!FITS[form](value)) throw new SchemaFault(at.place, `must be ${WORDS[form]}, got ${shown(value)}`);
  if (form === 'pattern') notePattern(String(value), at);
  for (const _ of valuesIn(value)) count(at);
  return form === 'names' && Array.isArray(value) ? [...new Set(value)] : value;
}

function listOf(value: unknown, at: At, readItem: (item: unknown, at: At) => unknown): unknown[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new SchemaFault(at.place, `must be a list of at least one schema, got ${shown(value)}`);
  }
  return value.map((item, index) => readItem(item, { ...at, place: `${at.place}[${index}]` }));
}

function mapOf(value: unknown, at: At, readItem: (item: unknown, at: At) => unknown): Fields {
  if (!isObject(value)) throw new SchemaFault(at.place, `must be an object, got ${shown(value)}`);
  const fields = Object.entries(value).map(([key, item]) => [
    key,
    readItem(item, { ...at, place: `${at.place}.${key}` }),
  ]);
  return Object.fromEntries(fields);
}

function notePattern(text: string, { patterns, place }: At): void {
  if (!patterns.has(text)) patterns.set(text, place);
}

function deeper(at: At): At {
  return { ...at, depth: at.depth + 1 };
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
