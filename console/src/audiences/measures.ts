import type { Fields } from '../ui/json-fields.ts';

/** What is made of the events of a condition. `happened` is no field of it: there has to be an event. */
export const MEASURES = [
  { id: 'happened', title: 'Happened at all' },
  { id: 'count', title: 'Number of events' },
  { id: 'days', title: 'Days with events' },
  { id: 'sum', title: 'Sum' },
  { id: 'avg', title: 'Average' },
  { id: 'min', title: 'Minimum' },
  { id: 'max', title: 'Maximum' },
  { id: 'first', title: 'First value' },
  { id: 'last', title: 'Last value' },
  { id: 'distinct', title: 'Number of different values' },
] as const;

/** The kinds of computed traits. */
export const TRAIT_KINDS = [
  { id: 'counter', title: 'Number of events' },
  { id: 'sum', title: 'Sum' },
  { id: 'average', title: 'Average' },
  { id: 'minimum', title: 'Minimum' },
  { id: 'maximum', title: 'Maximum' },
  { id: 'first', title: 'First value' },
  { id: 'last', title: 'Last value' },
  { id: 'most_frequent', title: 'Most frequent value' },
  { id: 'unique_list', title: 'List of different values' },
  { id: 'unique_list_count', title: 'Number of different values' },
] as const;

export type Measure = (typeof MEASURES)[number]['id'];

const DEFAULT_PATH = 'properties.total';

export function measureOf(events: Fields): Measure {
  return MEASURES.find(({ id }) => id in events)?.id ?? 'happened';
}

/** Of values, not of events alone. */
export function hasPath(measure: Measure): boolean {
  return measure !== 'happened' && measure !== 'count' && measure !== 'days';
}

/** Compared with a value of any type; all others are numbers. */
export function isOfAnyType(measure: Measure): boolean {
  return measure === 'first' || measure === 'last';
}

/** The condition with another measure of the same events; the path that was given stays. */
export function withMeasure(events: Fields, measure: Measure): Fields {
  const { where, window, sources } = events;
  const counted = Object.fromEntries(
    Object.entries({ where, window, sources }).filter(([, value]) => value !== undefined),
  );
  if (measure === 'happened') return counted;
  if (!hasPath(measure)) return { ...counted, [measure]: { gte: 1 } };
  const of = pathOf(events) ?? DEFAULT_PATH;
  return { ...counted, [measure]: isOfAnyType(measure) ? { of, eq: '' } : { of, gte: 1 } };
}

function pathOf(events: Fields): unknown {
  const inner = events[measureOf(events)];
  return typeof inner === 'object' && inner !== null && 'of' in inner ? inner.of : undefined;
}

/** The definition of a computed trait with another kind; `counter` alone has no path. */
export function withTraitKind(inner: Fields, kind: string): Fields {
  const { of, ...events } = inner;
  return { [kind]: kind === 'counter' ? events : { ...events, of: of ?? DEFAULT_PATH } };
}

export function titleOfMeasure(aggregate: string | undefined): string {
  const id = aggregate === 'list' ? 'unique_list' : aggregate;
  return [...MEASURES, ...TRAIT_KINDS].find((one) => one.id === id)?.title ?? 'Number of events';
}
