import type { components } from '../../generated/config-api.d.ts';
import { WEBHOOKS_SLUG } from './webhooks-settings.ts';

type ConfigType = components['schemas']['ConfigType'];

export interface Setting {
  readonly key: string;
  readonly displayName: string;
  readonly type: ConfigType;
}

export interface CatalogueDestination {
  /** The published name: what `integrations` calls it (ING-5, D-45). */
  readonly displayName: string;
  readonly settings: readonly Setting[];
}

const DESTINATIONS: Readonly<Record<string, CatalogueDestination>> = {
  [WEBHOOKS_SLUG]: {
    displayName: 'Webhooks',
    settings: [
      { key: 'sharedSecret', displayName: 'Shared Secret', type: 'string' },
      { key: 'globalHook', displayName: 'Webhook URL', type: 'string' },
      { key: 'hooks', displayName: 'Webhooks (max 5)', type: 'mixed' },
    ],
  },
};

/** What is known of a kind of destination; undefined for a slug that is only stored and returned (D-11). */
export function catalogueDestination(slug: string): CatalogueDestination | undefined {
  return Object.hasOwn(DESTINATIONS, slug) ? DESTINATIONS[slug] : undefined;
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
