import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { FqlFault } from '../fql/syntax-fault.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { StoredFilter } from '../model/filter.ts';
import type { Undecided } from '../losses/undecided-port.ts';
import { chainOf, type FilterChain, readActions, type ReadFilter } from './chain.ts';

/** The most that a destination has. */
export const MOST_FILTERS = 10;

/** The filters of a destination, as they stand now (D-13). */
export type Filters = (destination: string) => Promise<FilterChain>;

export function createFilters(config: Pick<ConfigStore, 'list'>, undecided: Pick<Undecided, 'add'>): Filters {
  const readingOf = rememberReadings();
  return async (destination) => {
    const rows = await config.list('filters', destination, { after: 0, limit: MOST_FILTERS });
    const enabled = rows.map(({ resource }) => resource).filter((filter) => filter.enabled);
    return chainOf(enabled.map(readingOf), undecided);
  };
}

/** A stored filter never changes, a change replaces it: so it is read once. */
function rememberReadings(): (filter: StoredFilter) => ReadFilter {
  const known = new WeakMap<StoredFilter, ReadFilter>();
  return (filter) => {
    const read = known.get(filter) ?? readFilter(filter);
    known.set(filter, read);
    return read;
  };
}

export function readFilter(filter: StoredFilter): ReadFilter {
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
