import { RULE_LIMITS } from './limits.ts';
import { SchemaFault } from './schema-fault.ts';

/** What is counted over a whole rule. */
export interface Counts {
  schemas: number;
  values: number;
  repeated: number;
}

/** A place of a rule, as far as counting goes. */
interface Counted {
  readonly place: string;
  readonly isRepeated: boolean;
  readonly counts: Counts;
}

/** Throws a SchemaFault for the schema that is one too many. */
export function countSchema(at: Counted): void {
  at.counts.schemas += 1;
  const { schemas } = RULE_LIMITS;
  if (at.counts.schemas > schemas) throw tooLarge(at, `${schemas} schemas`);
  count(at);
}

/** Throws a SchemaFault for the value that is one too many. */
export function count(at: Counted): void {
  const { counts, isRepeated } = at;
  counts.values += 1;
  if (isRepeated) counts.repeated += 1;
  const { values, repeatedValues } = RULE_LIMITS;
  if (counts.values > values) throw tooLarge(at, `${values} values`);
  if (counts.repeated <= repeatedValues) return;
  throw tooLarge(at, `${repeatedValues} values that are tried for each item or field`);
}

/** All that stands within a value: a list itself is none, nor is an object, unless it is empty. */
export function* valuesIn(value: unknown): Generator {
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    const inner = typeof next === 'object' && next !== null ? Object.values(next) : [];
    if (inner.length === 0) yield next;
    for (const one of inner) stack.push(one);
  }
}

function tooLarge({ place }: Counted, most: string): SchemaFault {
  return new SchemaFault(place, `makes the rule too large: more than ${most}`);
}
