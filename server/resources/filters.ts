import { createHash } from 'node:crypto';
import type { components } from '../../generated/config-api.d.ts';
import { MAX_FILTERS } from '../filters/filters.ts';
import { parse } from '../fql/parse.ts';
import { FqlFault } from '../fql/syntax-fault.ts';
import { ApiError } from '../http/errors.ts';
import { parentOf, slugOf } from '../model/resource-names.ts';
import type { Filter, FilterAction } from '../model/resources.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { editing, methodsOf } from './kit.ts';
import { nameOf } from './names.ts';
import { NewNames } from './new-names.ts';
import { undecidedFields } from './undecided-fields.ts';
import type { EmptyValues } from './update-mask.ts';

type Schemas = components['schemas'];
type NewFilter = Schemas['CreateFilter']['filter'];
type Changes = NonNullable<Schemas['UpdateFilter']['filter']>;

/** An empty condition holds for no event. */
const EMPTIES: EmptyValues = { title: '', description: '', if: '', actions: [], enabled: false };

export function filterHandlers({ store, losses, newNames, turns }: Env) {
  const { list, listAcross, create, get, update, remove } = methodsOf(store, {
    kind: 'filters',
    above: ['sources', 'destinations'],
    turns,
    key: 'filter',
    plural: 'filters',
    maximum: MAX_FILTERS,
    empties: EMPTIES,
    make: (wanted: NewFilter, destination) => makeFilter(wanted, destination, newNames),
    show: shownOnce(shownFilter),
    more: (names) => undecidedFields(names, losses),
    edit: editFilter,
    missing,
  });
  return {
    listFilters: list,
    listWorkspaceFilters: listAcross,
    createFilter: create,
    getFilter: get,
    updateFilter: update,
    deleteFilter: remove,
    // The names that are answered have one level more than some clients send: both lead to the same.
    getFilterByName: async (call) => get(ofDestination(call)),
    updateFilterByName: async (call) => update(ofDestination(call)),
    deleteFilterByName: async (call) => remove(ofDestination(call)),
  } satisfies Partial<ConfigHandlers>;
}

export function makeFilter(wanted: NewFilter, destination: string, names = new NewNames()): Filter {
  return {
    name: `${destination}/filters/${names.prefixed('df')}`,
    title: wanted.title ?? '',
    description: wanted.description ?? '',
    if: readCondition(wanted.if),
    actions: readActions(wanted.actions ?? []),
    enabled: wanted.enabled ?? false,
  };
}

/** Condition and actions are checked as far as they are to be changed. */
function editFilter(changes: Changes = {}, paths: readonly string[]): (current: Filter) => Filter {
  const condition = paths.includes('if') && changes.if !== undefined ? { if: readCondition(changes.if) } : {};
  const actions = paths.includes('actions') && changes.actions ? { actions: readActions(changes.actions) } : {};
  return editing({ ...changes, ...condition, ...actions }, paths, EMPTIES);
}

/** With one level more in its name, as clients know it. */
function shownFilter(filter: Filter): Schemas['Filter'] {
  const destination = parentOf(filter.name);
  return { ...filter, name: `${destination}/config/${configId(destination)}/filters/${slugOf(filter.name)}` };
}

/** What stands behind `config/` in the names of a destination's filters: the same for all of them, and for ever. */
function configId(destination: string): string {
  return createHash('sha256').update(destination).digest('hex').slice(0, 24);
}

type FilterPath = Parameters<ConfigHandlers['getFilterByName']>[0]['path'];

/** Passes a call whose name has the level of its own destination; with another it leads nowhere. */
function ofDestination<Call extends { readonly path: FilterPath }>(call: Call): Call {
  if (call.path.config === configId(nameOf('destinations', call.path))) return call;
  throw missing(nameOf('filters', call.path));
}

/** Clients look for these words. */
function missing(name: string): ApiError {
  return new ApiError('NotFound', `filter does not exist: ${name}`);
}

function readCondition(text: string): string {
  try {
    parse(text);
    return text;
  } catch (error) {
    if (!(error instanceof FqlFault)) throw error;
    throw new ApiError('InvalidArgument', `filter.if: column ${error.column}: ${error.message}`, { cause: error });
  }
}

/** What all actions of one filter take as JSON: some thousand names of fields. */
const ACTIONS_BYTES = 65_536;

/** Passes actions that are complete, with what belongs to their type and nothing else. */
function readActions(actions: readonly FilterAction[]): FilterAction[] {
  const bytes = Buffer.byteLength(JSON.stringify(actions));
  if (bytes > ACTIONS_BYTES) {
    throw new ApiError('InvalidArgument', `filter.actions have ${bytes} bytes of at most ${ACTIONS_BYTES}`);
  }
  return actions.map((action, index) => readAction(action, `filter.actions[${index}]`));
}

function readAction({ type, percent, path, fields }: FilterAction, place: string): FilterAction {
  switch (type) {
    case 'drop_event':
      return { type };
    case 'sample_event':
      if (percent === undefined) throw incomplete(place, 'percent, from 0 to 1', type);
      return { type, percent, path: path ?? '' };
    case 'whitelist_fields':
    case 'allowlist_fields':
    case 'blacklist_fields':
    case 'blocklist_fields':
      if (fields === undefined) throw incomplete(place, 'fields', type);
      return { type, fields };
  }
}

function incomplete(place: string, what: string, type: string): ApiError {
  return new ApiError('InvalidArgument', `${place} must have ${what}: ${type} needs it`);
}
