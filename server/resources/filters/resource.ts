import { createHash } from 'node:crypto';
import type { components } from '../../../generated/config-api.d.ts';
import { parse } from '../../fql/parse.ts';
import { FqlFault } from '../../fql/syntax-fault.ts';
import { ApiError } from '../../http/errors.ts';
import type { StoredFilter } from '../../model/filter.ts';
import { newFilterId } from '../identifiers.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';
import { readActions } from './actions.ts';

type Schemas = components['schemas'];

/** CFG-8; an empty condition holds for no event. */
export const EMPTIES: EmptyValues = { title: '', description: '', if: '', actions: [], enabled: false };

export function makeFilter({ filter }: Schemas['CreateFilter'], destination: string): StoredFilter {
  return {
    name: `${destination}/filters/${newFilterId()}`,
    title: filter.title ?? '',
    description: filter.description ?? '',
    if: readCondition(filter.if),
    actions: readActions(filter.actions ?? []),
    enabled: filter.enabled ?? false,
  };
}

/** An update whose condition and actions were checked, as far as they are to be changed. */
export interface FilterUpdate {
  readonly values: object;
  readonly paths: readonly string[];
}

export function readUpdate({ filter = {} }: Schemas['UpdateFilter'], paths: readonly string[]): FilterUpdate {
  const condition = paths.includes('if') && filter.if !== undefined ? { if: readCondition(filter.if) } : {};
  const actions = paths.includes('actions') && filter.actions ? { actions: readActions(filter.actions) } : {};
  return { values: { ...filter, ...condition, ...actions }, paths };
}

export function changeFilter(current: StoredFilter, { values, paths }: FilterUpdate): StoredFilter {
  return applyMask(current, { values, paths, empties: EMPTIES });
}

/** As it is answered: with one level more in its name, as clients know it. */
export function shownFilter(filter: StoredFilter): Schemas['Filter'] {
  const [destination = '', id = ''] = filter.name.split('/filters/');
  return { ...filter, name: `${destination}/config/${configId(destination)}/filters/${id}` };
}

/** What stands behind `config/` in the names of a destination's filters: the same for all of them, and for ever. */
export function configId(destination: string): string {
  return createHash('sha256').update(destination).digest('hex').slice(0, 24);
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
