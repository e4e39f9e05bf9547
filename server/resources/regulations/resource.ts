import type { components } from '../../../generated/config-api.d.ts';
import type { StoredRegulation } from '../../model/regulation.ts';
import { newRegulationId } from '../identifiers.ts';
import { milliseconds } from '../times.ts';

type Schemas = components['schemas'];

export function makeRegulation(wanted: Schemas['CreateRegulation'], parent: string, now: number): StoredRegulation {
  const regulate_id = newRegulationId();
  return {
    name: `${parent}/regulations/${regulate_id}`,
    regulate_id,
    parent,
    regulation_type: wanted.regulation_type,
    overall_status: 'INITIALIZED',
    source_status: [],
    create_time: milliseconds(now),
    user_ids: [...new Set(wanted.attributes.values)],
  };
}

/** As it is answered: whose it is stays here. */
export function shownRegulation({ user_ids: _ids, ...shown }: StoredRegulation): Schemas['Regulation'] {
  return shown;
}
