import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { isObject } from '../model/json-values.ts';
import type { Measure } from './measure.ts';

/** Fields of an object; of each either all, or what is needed of it. */
type Needed = Map<string, Needed | 'all'>;

/** What measures look at in an event, and nothing else of it: a fraction of what most events have. */
export function partsNeeded(measures: readonly Pick<Measure, 'where' | 'of'>[]): (event: object) => object {
  const needed: Needed = new Map();
  for (const { where, of } of measures) {
    for (const path of pathsIn(parse(where))) need(needed, path);
    if (of !== undefined) need(needed, of);
  }
  return (event) => partOf(event, needed);
}

function need(needed: Needed, [step, ...rest]: readonly string[]): void {
  if (step === undefined) return;
  const known = needed.get(step);
  if (known === 'all') return;
  if (rest.length === 0) {
    needed.set(step, 'all');
    return;
  }
  const below: Needed = known ?? new Map();
  needed.set(step, below);
  need(below, rest);
}

/** Of a list as well, whose fields are its places; what has no fields has none that are needed. */
function partOf(value: object, needed: Needed): object {
  const fields: [string, unknown][] = [];
  for (const [step, below] of needed) {
    if (!Object.hasOwn(value, step)) continue;
    const field: unknown = Reflect.get(value, step);
    if (below === 'all') fields.push([step, field]);
    else if (Array.isArray(field) || isObject(field)) fields.push([step, partOf(field, below)]);
  }
  return Object.fromEntries(fields);
}

function pathsIn(expression: Expression): readonly (readonly string[])[] {
  switch (expression.kind) {
    case 'path':
      return [expression.steps];
    case 'list':
      return expression.items.flatMap(pathsIn);
    case 'call':
      return expression.args.flatMap(pathsIn);
    case 'not':
      return pathsIn(expression.of);
    case 'and':
    case 'or':
    case 'compare':
    case 'in':
      return [...pathsIn(expression.left), ...pathsIn(expression.right)];
    case 'never':
    case 'all':
    case 'literal':
      return [];
  }
}
