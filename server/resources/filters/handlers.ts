import { MOST_FILTERS } from '../../filters/filters.ts';
import { ApiError } from '../../http/errors.ts';
import type { StoredFilter } from '../../model/filter.ts';
import { asIs, matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { destinationName } from '../resource-name.ts';
import { requireCreated } from '../store-answers.ts';
import { withUndecided } from '../undecided-fields.ts';
import { readMask } from '../update-mask.ts';
import { requireParent, requireVisible, requireWorkspaceOf } from '../visible.ts';
import { changeFilter, configId, EMPTIES, makeFilter, readUpdate, shownFilter } from './resource.ts';

type FilterHandlers = Pick<
  ConfigHandlers,
  | 'listFilters'
  | 'createFilter'
  | 'getFilter'
  | 'updateFilter'
  | 'deleteFilter'
  | 'getFilterByName'
  | 'updateFilterByName'
  | 'deleteFilterByName'
>;

type FilterPath = Parameters<ConfigHandlers['getFilter']>[0]['path'] & { readonly config?: string };

export function filterHandlers({ store, undecided }: Env): FilterHandlers {
  const answered = (filter: StoredFilter): ReturnType<typeof shownFilter> =>
    withUndecided(shownFilter(filter), filter.name, undecided);

  const getFilter: ConfigHandlers['getFilter'] = async ({ path, caller }) => {
    const name = requireVisible(caller, storedName(path));
    return answered(foundFilter(await store.get('filters', name), name));
  };

  const updateFilter: ConfigHandlers['updateFilter'] = async ({ path, header, body, caller }) => {
    const masks = [body.update_mask, body.filter?.update_mask];
    const update = readUpdate(body, readMask({ key: 'filter', masks, empties: EMPTIES }));
    const name = requireVisible(caller, storedName(path));
    const change = matching(header, (current: StoredFilter) => changeFilter(current, update), shownFilter);
    return answered(foundFilter(await store.update('filters', name, change), name));
  };

  const deleteFilter: ConfigHandlers['deleteFilter'] = async ({ path, header, caller }) => {
    const name = requireVisible(caller, storedName(path));
    foundFilter((await store.remove('filters', name, matching(header, asIs, shownFilter))) || undefined, name);
    return {};
  };

  return {
    getFilter,
    updateFilter,
    deleteFilter,
    // The names that are answered have one level more than some clients send: both lead here.
    getFilterByName: getFilter,
    updateFilterByName: updateFilter,
    deleteFilterByName: deleteFilter,

    async listFilters({ path, query, caller }) {
      const parent = await requireParent(store, 'destinations', caller, destinationName(path));
      const { items, next_page_token } = await listPage(store, { kind: 'filters', parent, query });
      return { filters: items.map(answered), next_page_token };
    },

    async createFilter({ path, body, caller }) {
      const filter = makeFilter(body, destinationName(path));
      await requireWorkspaceOf(store, caller, filter.name);
      requireCreated(await store.create('filters', filter, MOST_FILTERS), 'filters', filter.name);
      return shownFilter(filter);
    },
  };
}

/** The name that the store knows; a name with a level that is not this destination's leads nowhere. */
function storedName(path: FilterPath): string {
  const destination = destinationName(path);
  const name = `${destination}/filters/${path.filter}`;
  if (path.config !== undefined && path.config !== configId(destination)) return foundFilter<string>(undefined, name);
  return name;
}

/** Clients look for these words. */
function foundFilter<R>(resource: R | undefined, name: string): R {
  if (resource !== undefined) return resource;
  throw new ApiError('NotFound', `filter does not exist: ${name}`);
}
