import { createHash } from 'node:crypto';
import { parentOf, slugOf } from './resource-names.ts';
import type { ConfigEntry, ConfigType, Kind, LibraryConfig, Resources, SchemaSettings } from './resources.ts';

/** What a row of each kind has had in every version: without it the row is damaged. */
export const ESSENTIAL = {
  'access-tokens': ['name', 'hash'],
  workspaces: ['name', 'id'],
  sources: ['name'],
  destinations: ['name'],
  'tracking-plans': ['name'],
  filters: ['name'],
  regulations: ['name', 'regulation_type'],
  audiences: ['name', 'key'],
  'computed-traits': ['name', 'key'],
  'computation-keys': ['name'],
  'profile-beginnings': ['name', 'profiles_from'],
  'former-keys': ['name'],
  'removed-workspaces': ['name', 'create_time'],
  'audit-entries': ['name', 'create_time', 'resource'],
} as const satisfies { readonly [K in Kind]: readonly (keyof Resources[K])[] };

/** A row as any version may have stored it. */
export type StoredRow<K extends Kind> = { readonly name: string } & Partial<Resources[K]> &
  Pick<Resources[K], (typeof ESSENTIAL)[K][number] & keyof Resources[K]>;

/** Whether this is a row of the kind; what an engine stored under a kind was one. */
export function isStored<K extends Kind>(kind: K, row: unknown): row is StoredRow<K> {
  const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
  return isObject && ESSENTIAL[kind].every((field) => typeof Reflect.get(row, field) === 'string');
}

/** Rows that lack the time of their creation are older than any that have one. */
const EPOCH = '1970-01-01T00:00:00.000Z';
const EPOCH_SECONDS = '1970-01-01T00:00:00Z';

export const LIBRARY_CONFIG: LibraryConfig = {
  metrics_enabled: false,
  retry_queue: false,
  cross_domain_id_enabled: false,
  api_host: '',
};

/** What holds until it is changed: everything is let through. */
export const LET_THROUGH: SchemaSettings = {
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

/**
 * How a row of an older version is read: what is there keeps its place, since entity tags are made of the order, and what
 * it lacks is what it meant then. A field that is added to a resource is added here as well, or this does not compile.
 */
const READERS: { readonly [K in Kind]: (row: StoredRow<K>) => Resources[K] } = {
  'access-tokens': (row) => {
    // Less than it may have had is safe; the workspaces were all there were, before there was a choice.
    const missing = {
      description: '',
      scopes: 'workspace:read',
      workspace_names: [],
      create_time: EPOCH_SECONDS,
    } as const;
    return { ...row, ...missing, workspace_names: [], ...row };
  },
  workspaces: (row) => ({ ...row, display_name: slugOf(row.name), create_time: EPOCH, ...row }),
  sources: (row) => ({
    ...row,
    parent: parentOf(row.name),
    id: createHash('sha256').update(row.name).digest('hex').slice(0, 10),
    display_name: slugOf(row.name),
    catalog_name: '',
    labels: {},
    create_time: EPOCH,
    ...row,
    write_keys: row.write_keys === undefined ? [] : [...row.write_keys],
    library_config: { ...row.library_config, ...LIBRARY_CONFIG, ...row.library_config },
    ...(row.schema_config && { schema_config: { ...row.schema_config, ...LET_THROUGH, ...row.schema_config } }),
  }),
  destinations: (row) => ({
    ...row,
    parent: parentOf(row.name),
    display_name: slugOf(row.name),
    enabled: false,
    connection_mode: 'UNSPECIFIED',
    create_time: EPOCH,
    update_time: row.create_time ?? EPOCH,
    ...row,
    config: (row.config ?? []).map((entry) => readEntry(entry, row.name)),
  }),
  'tracking-plans': (row) => {
    const createTime = row.create_time ?? EPOCH_SECONDS;
    const missing = { display_name: slugOf(row.name), rules: {}, create_time: createTime, update_time: createTime };
    return { ...row, ...missing, ...row };
  },
  // An empty condition holds for no event.
  filters: (row) => ({ ...row, title: '', description: '', if: '', actions: [], enabled: false, ...row }),
  regulations: (row) => ({
    ...row,
    regulate_id: slugOf(row.name),
    parent: parentOf(row.name),
    overall_status: 'INITIALIZED',
    create_time: EPOCH,
    user_ids: [],
    ...row,
    source_status: (row.source_status ?? []).map((source) => ({ ...source, ...PENDING, ...source })),
  }),
  audiences: (row) => ({ ...row, ...newComputed(row.name), definition: { any: [] }, ...row }),
  'computed-traits': (row) => ({ ...row, ...newComputed(row.name), definition: { counter: { where: '' } }, ...row }),
  'computation-keys': (row) => row,
  'profile-beginnings': (row) => row,
  'former-keys': (row) => row,
  'removed-workspaces': (row) => row,
  'audit-entries': (row) => ({ operation: '', fields: [], token: '', token_description: '', address: '', ...row }),
};

function newComputed(name: string) {
  const none = { enabled: false, destinations: [], measures_from: {} };
  return { ...none, display_name: slugOf(name), profiles_from: EPOCH, create_time: EPOCH, update_time: EPOCH };
}

const PENDING = { status: 'INITIALIZED' } as const;

/** A stored row of any version as a resource of this one. */
export function readStored<K extends Kind>(kind: K, row: StoredRow<K>): Resources[K] {
  return READERS[kind](row);
}

function readEntry(entry: Partial<ConfigEntry>, destination: string): ConfigEntry {
  const { name = `${destination}/config/`, value = '' } = entry;
  const whole = { ...entry, name, display_name: slugOf(name), type: typeOfValue(value), value, ...entry };
  // An earlier version stored each field of a webhook that was sent.
  return slugOf(destination) === 'webhooks' ? { ...whole, value: knownFieldsOf(slugOf(name), value) } : whole;
}

/** The value of a setting without the fields that webhooks do not have: nobody reads them, and nobody is shown them (D-6). */
export function knownFieldsOf(key: string, value: unknown): unknown {
  if (key !== 'hooks') return value;
  return eachWith(['hook', 'headers'], value, (webhook) =>
    'headers' in webhook ? { ...webhook, headers: eachWith(['key', 'value'], webhook['headers']) } : webhook,
  );
}

/** The objects of a list with these fields alone; what is no list, or no object, stays as it is. */
function eachWith(
  fields: readonly string[],
  list: unknown,
  change: (item: Record<string, unknown>) => unknown = (item) => item,
): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    return change(Object.fromEntries(Object.entries(item).filter(([field]) => fields.includes(field))));
  });
}

/** The type of a setting that the catalog does not know. */
export function typeOfValue(value: unknown): ConfigType {
  if (typeof value === 'boolean' || typeof value === 'number') return typeof value === 'boolean' ? 'boolean' : 'number';
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? 'list' : 'mixed';
  return typeof value === 'object' && value !== null ? 'map' : 'string';
}
