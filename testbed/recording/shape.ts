import { isObject } from '../../server/model/json-values.ts';
import { valueIn } from './body-value.ts';
import type { Recorded } from './recording.ts';

/** What a field of several bodies holds. */
export interface FieldShape {
  readonly types: Set<string>;
  /** Whether it is in each of the objects that could have it. */
  isAlways: boolean;
}

/** The fields of JSON bodies and forms by their paths: `data.items[].price`; the body itself is `the body`. */
export type Shape = ReadonlyMap<string, FieldShape>;

const ROOT = 'the body';

interface Counted extends FieldShape {
  count: number;
}

export function shapeOf(requests: readonly Recorded[]): Shape {
  const fields = new Map<string, Counted>();
  const objects = new Map<string, number>();
  for (const request of requests) visit(ROOT, valueIn(request), fields, objects);
  for (const [path, field] of fields) {
    const parent = objects.get(parentOf(path));
    field.isAlways = parent === undefined || field.count >= parent;
  }
  return fields;
}

function visit(path: string, value: unknown, fields: Map<string, Counted>, objects: Map<string, number>): void {
  const field = fields.get(path) ?? { types: new Set<string>(), isAlways: true, count: 0 };
  fields.set(path, field);
  field.types.add(typeOf(value));
  field.count += 1;
  if (Array.isArray(value)) {
    for (const item of value) visit(`${path}[]`, item, fields, objects);
    return;
  }
  if (!isObject(value)) return;
  objects.set(path, (objects.get(path) ?? 0) + 1);
  for (const [name, inner] of Object.entries(value))
    visit(path === ROOT ? name : `${path}.${name}`, inner, fields, objects);
}

function parentOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot === -1 ? ROOT : path.slice(0, dot);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}
