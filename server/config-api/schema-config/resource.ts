import type { components } from '../../../generated/config-api.d.ts';
import type { Resources, SchemaSettings } from '../../ports/config-store.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';

type Schemas = components['schemas'];
type Source = Resources['sources'];

/** What holds until it is changed: everything is let through. */
const DEFAULTS: SchemaSettings = {
  allow_unplanned_track_events: true,
  allow_unplanned_identify_traits: true,
  allow_unplanned_group_traits: true,
  allow_unplanned_track_event_properties: true,
  allow_track_event_on_violations: true,
  allow_identify_traits_on_violations: true,
  allow_group_traits_on_violations: true,
  allow_track_properties_on_violations: true,
  forwarding_blocked_events_to: '',
  forwarding_violations_to: '',
  common_track_event_on_violations: 'ALLOW',
  common_identify_event_on_violations: 'ALLOW',
  common_group_event_on_violations: 'ALLOW',
};

/** CFG-8; the empty text is no value of an enum, so there it is ALLOW. */
export const EMPTIES: EmptyValues = Object.fromEntries(
  Object.entries(DEFAULTS).map(([field, value]) => [field, typeof value === 'boolean' ? false : value]),
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

function settingsOf({ schema_config: settings = DEFAULTS }: Source): SchemaSettings {
  return settings;
}
