import type { Expression } from '../fql/expression.ts';
import { isObject } from '../model/json-values.ts';

/** Fields of an object; of each either all, or what is needed of it. */
type Needed = Map<string, Needed | 'all'>;

/** What conditions and paths look at in an event, and nothing else of it: a fraction of what most events have. */
export function partsNeeded(
  conditions: readonly Expression[],
  paths: readonly (readonly string[])[] = [],
): (event: object) => object {
  const needed: Needed = new Map();
  for (const path of [...conditions.flatMap(pathsIn), ...paths]) need(needed, path);
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
