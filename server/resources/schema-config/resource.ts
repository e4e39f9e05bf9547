import type { components } from '../../../generated/config-api.d.ts';
import type { Resources } from '../../storage/config-store.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { settingsOf } from '../../tracking/schema-settings.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';

type Schemas = components['schemas'];
type Source = Resources['sources'];

/** CFG-8; the empty text is no value of an enum, so there it is ALLOW. */
export const EMPTIES: EmptyValues = Object.fromEntries(
  Object.entries(LET_THROUGH).map(([field, value]) => [field, typeof value === 'boolean' ? false : value]),
);

export function shownSchemaConfig(source: Source): Schemas['SchemaConfig'] {
  return { name: `${source.name}/schema-config`, parent: source.name, ...settingsOf(source) };
}

/** The source with its schema configuration changed: the configuration lives and goes with its source. */
export function changeSchemaConfig(
  source: Source,
  { schema_config: values = {} }: Schemas['UpdateSchemaConfig'],
  paths: readonly string[],
): Source {
  if (paths.length === 0) return source;
  return { ...source, schema_config: applyMask(settingsOf(source), { values, paths, empties: EMPTIES }) };
}
