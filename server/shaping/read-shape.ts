import { SettingFault } from '../destinations/setting-fault.ts';
import { type Listed, readPaths } from '../filters/field-lists.ts';
import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { FqlFault } from '../fql/syntax-fault.ts';
import { splitPath, unescape } from '../fql/tokenize.ts';
import { isObject } from '../model/json-values.ts';

/** One operation on a body, read once. */
export type Operation =
  | { readonly op: 'keep' | 'drop'; readonly listed: Listed }
  | { readonly op: 'rename'; readonly from: Path; readonly to: Path }
  | { readonly op: 'set'; readonly path: Path; readonly value: Expression };

/** Names of fields, from the outermost on; at least one. */
export type Path = readonly string[];

const [MAX_OPERATIONS, MAX_PATHS, MAX_PATH_LENGTH] = [50, 100, 1_000];

/** What each operation has besides `op`. */
const FIELDS: Readonly<Record<Operation['op'], readonly string[]>> = {
  keep: ['paths'],
  drop: ['paths'],
  rename: ['from', 'to'],
  set: ['path', 'value'],
};

/** Throws a SettingFault for what is no shape, with its place. None where bodies are left as they are. */
export function readShape(value: unknown): readonly Operation[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new SettingFault('', 'must be a list of operations');
  if (value.length > MAX_OPERATIONS)
    throw new SettingFault(`[${MAX_OPERATIONS}]`, `is one too many: a shape has at most ${MAX_OPERATIONS} operations`);
  return value.map((item: unknown, index) => readOperation(item, `[${index}]`));
}

function readOperation(item: unknown, place: string): Operation {
  const known = Object.keys(FIELDS).join(', ');
  if (!isObject(item)) throw new SettingFault(place, `must be an object with op: ${known}`);
  const { op } = item;
  if (!isOperation(op)) throw new SettingFault(`${place}.op`, `must be one of ${known}`);
  const other = Object.keys(item).find((field) => field !== 'op' && !FIELDS[op].includes(field));
  if (other !== undefined)
    throw new SettingFault(place, `${op} has ${FIELDS[op].join(' and ')} alone, and no ${shown(other)}`);
  switch (op) {
    case 'keep':
    case 'drop':
      return { op, listed: readPaths(pathsOf(item['paths'], `${place}.paths`)) };
    case 'rename':
      return { op, from: readPath(item['from'], `${place}.from`), to: readNewPath(item['to'], `${place}.to`) };
    case 'set':
      return {
        op,
        path: readNewPath(item['path'], `${place}.path`),
        value: readValue(item['value'], `${place}.value`),
      };
  }
}

function isOperation(op: unknown): op is Operation['op'] {
  return typeof op === 'string' && Object.hasOwn(FIELDS, op);
}

function pathsOf(value: unknown, place: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PATHS)
    throw new SettingFault(place, `must be a list of 1 to ${MAX_PATHS} paths`);
  return value.map((path: unknown, index) => textOf(path, `${place}[${index}]`));
}

/** A path as text that leads somewhere. */
function textOf(value: unknown, place: string): string {
  if (
    typeof value === 'string' &&
    value.length <= MAX_PATH_LENGTH &&
    splitPath(value).join('.') === value &&
    value !== ''
  )
    return value;
  const way = 'such as properties.total, with a backslash before a dot within a name';
  throw new SettingFault(place, `must be a path of at most ${MAX_PATH_LENGTH} characters, ${way}`);
}

function readPath(value: unknown, place: string): Path {
  return splitPath(textOf(value, place)).map(unescape);
}

/** Receivers that merge objects without care would take it for the prototype of theirs. */
function readNewPath(value: unknown, place: string): Path {
  const path = readPath(value, place);
  if (path.includes('__proto__')) throw new SettingFault(place, 'may not name __proto__');
  return path;
}

function readValue(value: unknown, place: string): Expression {
  if (typeof value !== 'string' || value.trim() === '')
    throw new SettingFault(place, 'must be an expression such as properties.total, "EUR" or lowercase(event)');
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof FqlFault)) throw error;
    throw new SettingFault(place, `column ${error.column}: ${error.message}`);
  }
}

function shown(field: string): string {
  return JSON.stringify(field.slice(0, 80));
}
