import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';
import type { StoredRegulation } from '../../model/regulation.ts';
import { isUntouched } from '../../jobs/regulations/regulation.ts';
import { workspaceOf } from '../../model/resources.ts';
import { newRegulationId } from '../identifiers.ts';
import { milliseconds } from '../times.ts';

type Schemas = components['schemas'];
export type Regulation = Schemas['Regulation'];
export type CreateRegulation = Schemas['CreateRegulation'];
export type SuppressedUser = Schemas['SuppressedUser'];

/** `scope` is the workspace or the source that it is to hold for. Either way it belongs to the workspace. */
export function makeRegulation(wanted: CreateRegulation, scope: string, now: number): StoredRegulation {
  const regulate_id = newRegulationId();
  const parent = workspaceOf(scope);
  return {
    name: `${parent}/regulations/${regulate_id}`,
    regulate_id,
    parent,
    ...(scope === parent ? {} : { source_name: scope }),
    regulation_type: wanted.regulation_type,
    overall_status: 'INITIALIZED',
    source_status: [],
    create_time: milliseconds(now),
    user_ids: [...new Set(wanted.attributes.values)],
  };
}

/** Passes one that can still be cancelled. */
export function refuseBegun(regulation: StoredRegulation): void {
  if (isUntouched(regulation)) return;
  const { name, overall_status: status } = regulation;
  throw new ApiError('InvalidArgument', `${name} is ${status}: only one that is still INITIALIZED can be cancelled`);
}

/** As it is answered: whose it is stays here. */
export function shownRegulation({ user_ids: _ids, ...shown }: StoredRegulation): Regulation {
  return shown;
}
