import type { components } from '../../generated/config-api.d.ts';

type Schemas = components['schemas'];

export type FilterAction = Schemas['FilterAction'];

/** A filter as it is stored: its name lacks the level that it is answered with. */
export type StoredFilter = Readonly<Schemas['Filter']>;
