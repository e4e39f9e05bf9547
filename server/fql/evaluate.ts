import type { Expression } from './expression.ts';
import { call } from './functions.ts';
import { isEqual, orderOf } from './values.ts';

/** Whether a condition holds for an event. Never throws: what is missing or of another kind makes it false. */
export function holds(condition: Expression, event: object): boolean {
  return valueOf(condition, event) === true;
}

/** What an expression comes to; null for what is not there. */
export function valueOf(expression: Expression, event: object): unknown {
  switch (expression.kind) {
    case 'never':
      return false;
    case 'all':
      return true;
    case 'literal':
      return expression.value;
    case 'path':
      return valueAt(event, expression.steps);
    case 'list':
      return expression.items.map((item) => valueOf(item, event));
    case 'call':
      return call(
        expression.name,
        expression.args.map((argument) => valueOf(argument, event)),
      );
    case 'not':
      return valueOf(expression.of, event) !== true;
    case 'and':
      return holds(expression.left, event) && holds(expression.right, event);
    case 'or':
      return holds(expression.left, event) || holds(expression.right, event);
    case 'compare':
      return compare(expression, event);
    case 'in':
      return isIn(valueOf(expression.left, event), valueOf(expression.right, event));
  }
}

function compare({ operator, left, right }: Expression & { kind: 'compare' }, event: object): boolean {
  const [a, b] = [valueOf(left, event), valueOf(right, event)];
  if (operator === '=') return isEqual(a, b);
  if (operator === '!=') return !isEqual(a, b);
  const order = orderOf(a, b);
  if (order === undefined) return false;
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}

function isIn(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((item) => isEqual(item, value));
}

/** Only what the event itself has: `constructor` is a field like any other. */
export function valueAt(event: object, steps: readonly string[]): unknown {
  let value: unknown = event;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = Reflect.get(value, step);
  }
  return value ?? null;
}
