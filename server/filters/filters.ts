import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { FqlFault } from '../fql/syntax-fault.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { StoredFilter } from '../ports/filter.ts';
import { chainOf, type FilterChain } from './chain.ts';

/** The most that a destination has. */
export const MOST_FILTERS = 10;

/** The filters of a destination, as they stand now (D-13). */
export type Filters = (destination: string) => Promise<FilterChain>;

export function createFilters(config: Pick<ConfigStore, 'list'>): Filters {
  const conditionOf = rememberConditions();
  return async (destination) => {
    const rows = await config.list('filters', destination, { after: 0, limit: MOST_FILTERS });
    const enabled = rows.map(({ resource }) => resource).filter((filter) => filter.enabled);
    return chainOf(enabled.map((filter) => ({ filter, condition: conditionOf(filter) })));
  };
}

/** A stored filter never changes, a change replaces it: so its condition is read once. */
function rememberConditions(): (filter: StoredFilter) => Expression | undefined {
  const read = new WeakMap<StoredFilter, Expression>();
  return (filter) => {
    const known = read.get(filter) ?? readCondition(filter.if);
    if (known !== undefined) read.set(filter, known);
    return known;
  };
}

function readCondition(text: string): Expression | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FqlFault) return undefined;
    throw error;
  }
}
