import type { Expression } from '../fql/expression.ts';
import type { Event } from '../model/message.ts';

/** Fields by which most conditions choose their events, the most telling first. */
const FIELDS = ['event', 'name', 'type'] as const;

type Field = (typeof FIELDS)[number];

/** One of these values stands in the field of each event for which a condition holds; 'any' where that is not known. */
export type Requirement = 'any' | { readonly field: Field; readonly values: ReadonlySet<string> };

/** What can be seen of a condition without its whole evaluation: never too much. */
export function requirementOf(condition: Expression): Requirement {
  const { kind } = condition;
  if (kind === 'never') return { field: 'event', values: new Set() };
  if (kind === 'and') return both(requirementOf(condition.left), requirementOf(condition.right));
  if (kind === 'or') return either(requirementOf(condition.left), requirementOf(condition.right));
  if (kind === 'compare' && condition.operator === '=') return equal(condition.left, condition.right);
  if (kind === 'in' && condition.right.kind === 'list') return oneOf(condition.left, condition.right.items);
  return 'any';
}

function equal(left: Expression, right: Expression): Requirement {
  return left.kind === 'path' ? oneOf(left, [right]) : oneOf(right, [left]);
}

function oneOf(path: Expression, items: readonly Expression[]): Requirement {
  const [step, ...deeper] = path.kind === 'path' ? path.steps : [];
  const field = FIELDS.find((known) => known === step);
  if (field === undefined || deeper.length > 0) return 'any';
  const values = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'literal' || typeof item.value !== 'string') return 'any';
    values.add(item.value);
  }
  return { field, values };
}

/** Either of them is true of the event: the more telling one is kept, and of two of one field what both allow. */
function both(one: Requirement, other: Requirement): Requirement {
  if (one === 'any' || other === 'any') return one === 'any' ? other : one;
  if (one.field === other.field) return { field: one.field, values: one.values.intersection(other.values) };
  return FIELDS.indexOf(one.field) < FIELDS.indexOf(other.field) ? one : other;
}

function either(one: Requirement, other: Requirement): Requirement {
  if (one === 'any' || other === 'any' || one.field !== other.field) return 'any';
  return { field: one.field, values: one.values.union(other.values) };
}

/** Whether an event may be one for which one of several conditions holds. */
export function mayMeet(requirements: readonly Requirement[]): (event: Event) => boolean {
  if (requirements.includes('any')) return () => true;
  const values = new Map<Field, ReadonlySet<string>>();
  for (const requirement of requirements) {
    if (requirement === 'any') continue;
    const known = values.get(requirement.field) ?? new Set<string>();
    values.set(requirement.field, known.union(requirement.values));
  }
  const known = [...values];
  return (event) => known.some(([field, wanted]) => wanted.has(event[field] ?? ''));
}
