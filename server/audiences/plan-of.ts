import type { Definition, TraitDefinition } from '../model/definition.ts';
import { hoursOf } from './windows.ts';
import { type Counting, countingOf, countingOfTrait, hashOf } from './measures.ts';
import type { Measured, Plan } from './plan.ts';

/** What a definition refers to, by full name, as it stands now. */
export interface PlanContext {
  readonly audience: (name: string) => Definition | undefined;
  readonly computedTrait: (name: string) => TraitDefinition | undefined;
  /** The id of a measure, by its hash. */
  readonly measure: (hash: string) => string;
}

/** Holds for nobody: what was referred to is gone. */
const NOBODY: Plan = { kind: 'any', of: [] };

/**
 * A definition at the hour of a run. Other audiences and computed traits are evaluated within it, at the same hour, whatever
 * their own last run said. Definitions are stored without cycles.
 */
export function planOf(definition: Definition, hour: number, around: PlanContext): Plan {
  const inner = (one: Definition): Plan => planOf(one, hour, around);
  if ('all' in definition) return { kind: 'all', of: definition.all.map(inner) };
  if ('any' in definition) return { kind: 'any', of: definition.any.map(inner) };
  if ('not' in definition) return { kind: 'not', of: inner(definition.not) };
  if ('trait' in definition) return { kind: 'trait', name: definition.trait, is: definition.is };
  if ('events' in definition) {
    const { is, ...counting } = countingOf(definition.events);
    const ofNone = IS_ZERO.has(counting.aggregate) ? 'zero' : 'missing';
    return { kind: 'measured', value: measured(counting, hour, around, ofNone), is };
  }
  if ('member_of' in definition) {
    const other = around.audience(definition.member_of);
    return from(definition.member_of, other === undefined ? NOBODY : inner(other));
  }
  const trait = around.computedTrait(definition.computed_trait);
  return from(
    definition.computed_trait,
    trait === undefined ? NOBODY : { kind: 'measured', value: valuesOf(trait, hour, around), is: definition.is },
  );
}

function from(name: string, plan: Plan): Plan {
  return { ...plan, from: [name, ...(plan.from ?? [])] };
}

/** The values of a computed trait: it has none where there was no event. */
export function valuesOf(definition: TraitDefinition, hour: number, around: Pick<PlanContext, 'measure'>): Measured {
  return measured(countingOfTrait(definition), hour, around, 'missing');
}

/** Of these, nothing is a number: `sum < 50` holds for who never bought. */
const IS_ZERO = new Set(['count', 'days', 'sum', 'distinct']);

function measured(
  { countable, aggregate, window }: Counting,
  hour: number,
  { measure }: Pick<PlanContext, 'measure'>,
  ofNone: Measured['ofNone'],
): Measured {
  return { measure: measure(hashOf(countable)), aggregate, hours: hoursOf(window, hour), ofNone };
}
