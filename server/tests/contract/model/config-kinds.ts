import { destinationKind } from './config-destinations.ts';
import { defaultConfig } from './config-settings.ts';

/** Fields of a resource as the model keeps them: nested as on the wire, but `config` by key. */
export type Fields = Readonly<Record<string, unknown>>;

interface KindRules {
  /** What errors call it. */
  readonly noun: string;
  /** Its key in bodies and masks. */
  readonly key: string;
  /** Its key in the answers of List. */
  readonly plural: string;
  /** Every path that an update may name, with what it takes without a value (CFG-8). */
  readonly empties: Fields;
  /** What stands there when a create does not say it. */
  readonly defaults: (slug: string, sent: Fields) => Fields;
}

const LIBRARY = { metrics_enabled: false, retry_queue: false, cross_domain_id_enabled: false, api_host: '' };

/** The rules of the five resources, in so few words that they can be compared with the specification by eye. */
export const KINDS = {
  'access-tokens': {
    noun: 'access token',
    key: 'access_token',
    plural: 'access_tokens',
    empties: { description: '' },
    defaults: () => ({ workspace_names: [] }),
  },
  workspaces: {
    noun: 'workspace',
    key: 'workspace',
    plural: 'workspaces',
    empties: { display_name: '' },
    defaults: (slug) => ({ display_name: slug }),
  },
  sources: {
    noun: 'source',
    key: 'source',
    plural: 'sources',
    empties: {
      display_name: '',
      catalog_name: '',
      write_keys: [],
      labels: {},
      oauth_keys: [],
      library_config: LIBRARY,
      'library_config.metrics_enabled': false,
      'library_config.retry_queue': false,
      'library_config.cross_domain_id_enabled': false,
      'library_config.api_host': '',
    },
    defaults: (slug) => ({ display_name: slug, catalog_name: '', labels: {}, library_config: LIBRARY }),
  },
  destinations: {
    noun: 'destination',
    key: 'destination',
    plural: 'destinations',
    empties: { display_name: '', enabled: false, connection_mode: 'UNSPECIFIED', config: {} },
    defaults: (slug, sent) => ({
      display_name: slug === 'webhooks' ? 'Webhooks' : slug,
      enabled: false,
      connection_mode: 'UNSPECIFIED',
      config: defaultConfig(destinationKind(slug, sent)),
    }),
  },
  'tracking-plans': {
    noun: 'tracking plan',
    key: 'tracking_plan',
    plural: 'tracking_plans',
    empties: {
      display_name: '',
      rules: {},
      'rules.events': [],
      'rules.global': {},
      'rules.identify': {},
      'rules.group': {},
      'rules.identify_traits': [],
      'rules.group_traits': [],
    },
    defaults: () => ({ rules: {} }),
  },
} as const satisfies Record<string, KindRules>;

export type Kind = keyof typeof KINDS;

export function rulesOf(kind: Kind): KindRules {
  return KINDS[kind];
}

/** Ids of these are generated: a create names nothing, and learns the name from the answer. */
export function isGenerated(kind: Kind): kind is 'access-tokens' | 'tracking-plans' {
  return kind === 'access-tokens' || kind === 'tracking-plans';
}

export function kindOf(name: string): Kind {
  const collection = name.split('/').at(-2);
  const kind = Object.keys(KINDS).find((known): known is Kind => known === collection);
  if (kind === undefined) throw new Error(`${name} names none of the five resources`);
  return kind;
}

export function parentOf(name: string): string {
  return name.split('/').slice(0, -2).join('/');
}

export function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
