import { createHash } from 'node:crypto';
import { splitPath, unescape } from '../fql/tokenize.ts';
import type {
  Comparison,
  CountedEvents,
  Definition,
  EventsCondition,
  TraitDefinition,
  Window,
} from '../model/definition.ts';
import type { Measure } from './measure.ts';
import { type Aggregate, TILE_KINDS } from './plan.ts';

/** What is counted, whenever it began. */
export type Countable = Omit<Measure, 'id' | 'from'>;

/** An aggregate of what is counted, in a window. */
export interface Counting {
  readonly countable: Countable;
  readonly aggregate: Aggregate;
  readonly window: Window | undefined;
}

/** What has the same hash is counted once, whatever is made of it: windows and thresholds share tiles. */
export function hashOf({ kind, where, of, sources }: Countable): string {
  const text = JSON.stringify([kind, where, of ?? null, sources ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const MEASURES = ['count', 'days', 'sum', 'avg', 'min', 'max', 'first', 'last', 'distinct'] as const;

/** A condition on events, and what it asks of the aggregate. */
export function countingOf(condition: EventsCondition): Counting & { readonly is: Comparison } {
  const measure = MEASURES.find((known) => condition[known] !== undefined) ?? 'count';
  const { of, ...is } = { of: undefined, ...(condition[measure] ?? AT_LEAST_ONCE) };
  return { ...counting(condition, measure, of), is };
}

const AT_LEAST_ONCE = { gte: 1 } as const satisfies Comparison;

/** The aggregates of the ten kinds. */
const TRAITS = {
  counter: 'count',
  sum: 'sum',
  average: 'avg',
  minimum: 'min',
  maximum: 'max',
  first: 'first',
  last: 'last',
  most_frequent: 'most_frequent',
  unique_list: 'list',
  unique_list_count: 'distinct',
} as const satisfies Readonly<Record<string, Aggregate>>;

export type TraitKind = keyof typeof TRAITS;

export function isTraitKind(name: string): name is TraitKind {
  return Object.hasOwn(TRAITS, name);
}

export function countingOfTrait(definition: TraitDefinition): Counting {
  const [[kind, events] = []] = Object.entries<CountedEvents & { readonly of?: string }>(definition);
  if (kind === undefined || events === undefined || !isTraitKind(kind)) throw new Error('a computed trait of no kind');
  return counting(events, TRAITS[kind], events.of);
}

function counting({ where, window, sources }: CountedEvents, aggregate: Aggregate, of: string | undefined): Counting {
  const countable = {
    kind: TILE_KINDS[aggregate],
    where,
    ...(of === undefined ? {} : { of: splitPath(of).map(unescape) }),
    ...(sources === undefined ? {} : { sources: [...new Set(sources)].toSorted() }),
  };
  return { countable, aggregate, window };
}

/** The conditions of a definition that are not made of others, in their order. */
export function conditionsOf(
  definition: Definition,
): Exclude<Definition, { all: unknown } | { any: unknown } | { not: unknown }>[] {
  if ('all' in definition) return definition.all.flatMap(conditionsOf);
  if ('any' in definition) return definition.any.flatMap(conditionsOf);
  return 'not' in definition ? conditionsOf(definition.not) : [definition];
}

/** What a definition itself counts; what it refers to counts for itself. */
export function countingsOf(definition: Definition): Counting[] {
  return conditionsOf(definition).flatMap((one) => ('events' in one ? [countingOf(one.events)] : []));
}

/** Full names of what it refers to. */
export function referencesOf(definition: Definition): string[] {
  const names = conditionsOf(definition).flatMap((one) => {
    if ('member_of' in one) return [one.member_of];
    return 'computed_trait' in one ? [one.computed_trait] : [];
  });
  return [...new Set(names)];
}
