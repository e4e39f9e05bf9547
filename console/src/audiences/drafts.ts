import { type Fields, fieldsOf, listOf } from '../ui/json-fields.ts';

/** Groups hold conditions; "none" is written as `not`. */
export const GROUPS = [
  { id: 'all', title: 'All of these hold' },
  { id: 'any', title: 'At least one of these holds' },
  { id: 'none', title: 'None of these holds' },
] as const;

export const CONDITIONS = [
  { id: 'events', title: 'Events' },
  { id: 'trait', title: 'Trait' },
  { id: 'member_of', title: 'Member of an audience' },
  { id: 'computed_trait', title: 'Computed trait' },
] as const;

export type Group = (typeof GROUPS)[number]['id'];
export type Condition = (typeof CONDITIONS)[number]['id'];

/** A condition, with its place as the API names it. */
export interface Part {
  readonly draft: Fields;
  readonly place: string;
}

export function groupOf(draft: Fields): Group | undefined {
  if ('not' in draft) return 'none';
  if ('any' in draft) return 'any';
  return 'all' in draft ? 'all' : undefined;
}

/** What only JSON can say has no kind. */
export function conditionOf(draft: Fields): Condition | undefined {
  return CONDITIONS.find(({ id }) => id in draft)?.id;
}

/** The conditions of a group; one that stands alone is a group of itself. */
export function partsOf({ draft, place }: Part): readonly Part[] {
  const group = groupOf(draft);
  if (group === undefined) return [{ draft, place }];
  if (group !== 'none') return partsIn(draft[group], `${place}.${group}`);
  const inner = fieldsOf(draft['not']);
  return 'any' in inner ? partsIn(inner['any'], `${place}.not.any`) : [{ draft: inner, place: `${place}.not` }];
}

function partsIn(list: unknown, place: string): readonly Part[] {
  return listOf(list).map((item, index) => ({ draft: fieldsOf(item), place: `${place}[${index}]` }));
}

/** The group with other conditions in it; a condition that stood alone stays so for as long as it is the only one. */
export function withParts(draft: Fields, parts: readonly Fields[]): Fields {
  const [only] = parts;
  const isOne = parts.length === 1 && only !== undefined;
  const group = groupOf(draft);
  if (group === undefined) return isOne && groupOf(only) === undefined ? only : { all: parts };
  if (group !== 'none') return { [group]: parts };
  return isOne && !('any' in fieldsOf(draft['not'])) && !('any' in only) ? { not: only } : { not: { any: parts } };
}

export function groupAs(group: Group, parts: readonly Fields[]): Fields {
  return group === 'none' ? { not: { any: parts } } : { [group]: parts };
}

/** A condition of this kind that a person goes on from. */
export function newCondition(kind: Condition): Fields {
  switch (kind) {
    case 'events':
      return { events: { where: 'event = "Order Completed"', window: { within: '30d' } } };
    case 'trait':
      return { trait: 'plan', is: { eq: 'pro' } };
    case 'member_of':
      return { member_of: '' };
    case 'computed_trait':
      return { computed_trait: '', is: { gte: 1 } };
  }
}
