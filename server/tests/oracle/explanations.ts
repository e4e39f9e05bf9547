import type { Explained } from '../../audiences/explain.ts';
import type { Comparison, Definition } from '../../model/definition.ts';
import { isAsAsked, isMember, type Known, traitKind, traitOf, valueOf, valueOfEvents } from './evaluate.ts';
import type { Person } from './people.ts';

/** A condition with what it comes to for one person; of several, each of them. */
export interface Explanation {
  readonly kind: string;
  readonly holds: boolean;
  readonly of?: readonly Explanation[];
  readonly value?: unknown;
  readonly is?: Comparison;
}

/** Other audiences and computed traits are explained by what they are made of. */
export function explanationOf(definition: Definition, person: Person, hour: number, known: Known): Explanation {
  const inner = (one: Definition): Explanation => explanationOf(one, person, hour, known);
  const holds = isMember(definition, person, hour, known);
  if ('all' in definition) return { kind: 'all', holds, of: definition.all.map(inner) };
  if ('any' in definition) return { kind: 'any', holds, of: definition.any.map(inner) };
  if ('not' in definition) return { kind: 'not', holds, of: [inner(definition.not)] };
  if ('member_of' in definition) return inner(known.audience(definition.member_of));
  if ('trait' in definition) {
    return leaf(
      `trait ${definition.trait}`,
      traitOf(person, known.stored(definition.trait)) ?? undefined,
      definition.is,
    );
  }
  if ('events' in definition) {
    const { aggregate, value, is } = valueOfEvents(definition.events, person, hour, known);
    return leaf(aggregate, value, is);
  }
  const trait = known.computedTrait(definition.computed_trait);
  return leaf(traitKind(trait).aggregate, valueOf(trait, person, hour, known), definition.is);
}

function leaf(kind: string, value: unknown, is: Comparison): Explanation {
  return { kind, holds: isAsAsked(value, is), value, is };
}

/** The same of the engine. */
export function readExplained(explained: Explained): Explanation {
  const { kind, holds } = explained;
  if ('of' in explained) return { kind, holds, of: explained.of.map(readExplained) };
  const what = explained.kind === 'trait' ? `trait ${explained.name}` : explained.measured.aggregate;
  return { kind: what, holds, value: explained.value, is: explained.is };
}

/** Tries one hour after the other: the first in which membership is another, if nothing happens. */
export function hourOfNextChange(
  definition: Definition,
  person: Person,
  now: number,
  known: Known,
): number | undefined {
  const before = isMember(definition, person, now, known);
  const last = now + longestIn(definition, known);
  for (let hour = now + 1; hour <= last; hour += 1) {
    if (isMember(definition, person, hour, known) !== before) return hour;
  }
  return undefined;
}

/** In hours, the longest that any part of a definition looks back: after that, nothing that happened until now is seen. */
function longestIn(definition: Definition, known: Known): number {
  if ('member_of' in definition) return longestIn(known.audience(definition.member_of), known);
  const text = JSON.stringify(
    'computed_trait' in definition ? known.computedTrait(definition.computed_trait) : definition,
  );
  const own = [...text.matchAll(/"(\d+)([hd])"/g)].map(([, count, unit]) => Number(count) * (unit === 'd' ? 24 : 1));
  const inner = 'all' in definition ? definition.all : 'any' in definition ? definition.any : [];
  const others = ('not' in definition ? [definition.not] : inner).map((one) => longestIn(one, known));
  return Math.max(0, ...own, ...others);
}
