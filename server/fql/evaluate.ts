import type { Budget } from '../evaluation/budget.ts';
import type { Expression } from './expression.ts';
import { call } from './functions.ts';
import { isEqual, orderOf } from './values.ts';

/** Whether a condition holds for an event: what is missing or of another kind makes it false. Throws nothing but OverBudget. */
export function holds(condition: Expression, event: object, budget: Budget): boolean {
  return valueOf(condition, event, budget) === true;
}

/** What an expression comes to; null for what is not there. */
export function valueOf(expression: Expression, event: object, budget: Budget): unknown {
  budget.spend(NODE_STEPS);
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
      return expression.items.map((item) => valueOf(item, event, budget));
    case 'call':
      return call(
        expression.name,
        expression.args.map((argument) => valueOf(argument, event, budget)),
        budget,
      );
    case 'not':
      return valueOf(expression.of, event, budget) !== true;
    case 'and':
      return holds(expression.left, event, budget) && holds(expression.right, event, budget);
    case 'or':
      return holds(expression.left, event, budget) || holds(expression.right, event, budget);
    case 'compare':
      return compare(expression, event, budget);
    case 'in':
      return isIn(valueOf(expression.left, event, budget), valueOf(expression.right, event, budget), budget);
  }
}

function compare({ operator, left, right }: Expression & { kind: 'compare' }, event: object, budget: Budget): boolean {
  const [a, b] = [valueOf(left, event, budget), valueOf(right, event, budget)];
  if (operator === '=') return isEqual(a, b, budget);
  if (operator === '!=') return !isEqual(a, b, budget);
  const order = orderOf(a, b, budget);
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

function isIn(value: unknown, list: unknown, budget: Budget): boolean {
  return Array.isArray(list) && list.some((item) => isEqual(item, value, budget));
}

/** Of each part of a condition. */
const NODE_STEPS = 4;

/** Only what the event itself has: `constructor` is a field like any other. */
export function valueAt(event: object, steps: readonly string[]): unknown {
  let value: unknown = event;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = Reflect.get(value, step);
  }
  return value ?? null;
}
