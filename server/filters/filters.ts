import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { FqlFault } from '../fql/syntax-fault.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { Filter } from '../model/resources.ts';
import { chainOf, type FilterChain, readActions, type ReadFilter } from './chain.ts';

/** The most that a destination has. */
export const MAX_FILTERS = 10;

/** Of the many destinations without filters, one for all. */
export const NO_FILTERS: FilterChain = { admits: undefined, reshape: undefined };

/** Those of a destination that are enabled, as they act together. */
export function filterChain(stored: readonly Filter[], undecided: Pick<Undecided, 'add'>): FilterChain {
  const enabled = stored.filter((one) => one.enabled);
  return enabled.length === 0 ? NO_FILTERS : chainOf(enabled.map(readFilter), undecided);
}

export function readFilter(filter: Filter): ReadFilter {
  return { filter, condition: readCondition(filter.if), ...readActions(filter) };
}

function readCondition(text: string): Expression | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FqlFault) return undefined;
    throw error;
  }
}
