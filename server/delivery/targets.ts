import { webhooksOf } from '../destinations/webhooks-settings.ts';
import { createFilters } from '../filters/filters.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { Targets } from './target.ts';

/** Reads what a destination is from the config store, at each round anew: a change holds at once (D-13, D-30). */
export function createTargets(store: Pick<ConfigStore, 'get' | 'list'>): Targets {
  const filters = createFilters(store);
  return async (name) => {
    const destination = await store.get('destinations', name);
    if (destination?.enabled !== true) return undefined;
    const { reshape } = await filters(name);
    return { ...webhooksOf(destination), reshape };
  };
}
