import type { components } from '../../generated/config-api.d.ts';
import type { ConfigType } from '../model/resources.ts';
import destinations from '../resources/catalog/destinations.json' with { type: 'json' };
import sources from '../resources/catalog/sources.json' with { type: 'json' };

type Schemas = components['schemas'];

/** What kinds of sources and destinations are known, as the Config API shows them. Ordered by name. */
export interface Catalog {
  readonly sources: readonly Schemas['CatalogSource'][];
  readonly destinations: readonly Schemas['CatalogDestination'][];
}

/** The data files of the Config API. A test holds them to the document's schemas, so their shape is known. */
export const CATALOG: Catalog = { sources: Object(sources), destinations: Object(destinations) };

export interface Setting {
  readonly key: string;
  readonly displayName: string;
  readonly type: ConfigType;
}

export interface KnownDestination {
  /** The published name: what `integrations` calls it (ING-5, D-45). */
  readonly displayName: string;
  readonly settings: readonly Setting[];
}

/** How the catalog writes the types of settings, and how config entries do. */
const TYPES: Readonly<Record<Schemas['CatalogSettingType'], ConfigType>> = {
  STRING: 'string',
  PASSWORD: 'password',
  COLOR: 'color',
  SELECT: 'select',
  BOOLEAN: 'boolean',
  NUMBER: 'number',
  LIST: 'list',
  MAP: 'map',
  MIXED: 'mixed',
  MULTI_LINE_STRING: 'multi_line_string',
};

const DESTINATIONS: ReadonlyMap<string, KnownDestination> = new Map(
  CATALOG.destinations.map((entry) => [
    entry.name.replace('catalog/destinations/', ''),
    {
      displayName: entry.display_name,
      settings: entry.settings.map(({ name, display_name, type }) => ({
        key: name,
        displayName: display_name,
        type: TYPES[type],
      })),
    },
  ]),
);

/** What is known of a kind of destination; undefined for a slug that is only stored and returned (D-11). */
export function catalogDestination(slug: string): KnownDestination | undefined {
  return DESTINATIONS.get(slug);
}

export function catalogSlugs(): readonly string[] {
  return [...DESTINATIONS.keys()];
}

/** The empty value of a setting, by its type (CFG-8). */
export function emptyValue(type: ConfigType): unknown {
  switch (type) {
    case 'boolean':
      return false;
    case 'number':
      return 0;
    case 'list':
    case 'mixed':
      return [];
    case 'map':
      return {};
    case 'string':
    case 'password':
    case 'color':
    case 'select':
    case 'multi_line_string':
      return '';
  }
}
