import type { Expression } from '../fql/expression.ts';

/**
 * Texts of which a condition needs one in a field of the event (`event`, `type`); undefined where any may do. An event with
 * another text is none for which the condition holds, which takes a look at a map to know, and no evaluation.
 */
export function textsNeeded(condition: Expression, field: string): ReadonlySet<string> | undefined {
  switch (condition.kind) {
    case 'never':
      return new Set();
    case 'compare':
      return condition.operator === '=' ? textsOf(fieldAndOther(condition, field)) : undefined;
    case 'in':
      return isField(condition.left, field) && condition.right.kind === 'list'
        ? textsIn(condition.right.items)
        : undefined;
    case 'and':
      return both(textsNeeded(condition.left, field), textsNeeded(condition.right, field));
    case 'or':
      return either(textsNeeded(condition.left, field), textsNeeded(condition.right, field));
    case 'all':
    case 'literal':
    case 'path':
    case 'list':
    case 'call':
    case 'not':
      return undefined;
  }
}

type Texts = ReadonlySet<string> | undefined;

function both(left: Texts, right: Texts): Texts {
  return left === undefined || right === undefined ? (left ?? right) : left.intersection(right);
}

function either(left: Texts, right: Texts): Texts {
  return left === undefined || right === undefined ? undefined : left.union(right);
}

function isField(expression: Expression, field: string): boolean {
  return expression.kind === 'path' && expression.steps.length === 1 && expression.steps[0] === field;
}

/** What a field is compared with, on either side. */
function fieldAndOther({ left, right }: Expression & { kind: 'compare' }, field: string): Expression | undefined {
  if (isField(left, field)) return right;
  return isField(right, field) ? left : undefined;
}

function textsOf(expression: Expression | undefined): Texts {
  return expression === undefined ? undefined : textsIn([expression]);
}

/** Only literals say what is needed; of those, only texts are ever in such a field. */
function textsIn(items: readonly Expression[]): Texts {
  if (items.some(({ kind }) => kind !== 'literal')) return undefined;
  const values = items.map((item) => (item.kind === 'literal' ? item.value : null));
  // A field that is missing equals null.
  if (values.includes(null)) return undefined;
  return new Set(values.filter((value) => typeof value === 'string'));
}
