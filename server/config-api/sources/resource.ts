import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';
import type { Resources } from '../../ports/config-store.ts';
import { newId, newWriteKey } from '../identifiers.ts';
import { readNewName, slugOf } from '../resource-name.ts';
import { milliseconds } from '../times.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';
import { checkedOauthKeys } from './oauth-keys.ts';

type Schemas = components['schemas'];
type Source = Resources['sources'];

const LIBRARY_CONFIG: Schemas['LibraryConfig'] = {
  metrics_enabled: false,
  retry_queue: false,
  cross_domain_id_enabled: false,
  api_host: '',
};

export const EMPTIES: EmptyValues = {
  display_name: '',
  catalog_name: '',
  labels: {},
  oauth_keys: [],
  library_config: LIBRARY_CONFIG,
  'library_config.metrics_enabled': false,
  'library_config.retry_queue': false,
  'library_config.cross_domain_id_enabled': false,
  'library_config.api_host': '',
};

export function makeSource({ source }: Schemas['CreateSource'], parent: string, now: number): Source {
  const name = readNewName({ given: source.name, within: `${parent}/sources/`, field: 'source.name' });
  return {
    name,
    parent,
    id: newId(),
    display_name: source.display_name ?? slugOf(name),
    catalog_name: source.catalog_name ?? '',
    write_keys: writeKeys(source.write_keys),
    library_config: libraryConfig(source.library_config),
    labels: source.labels ?? {},
    ...(source.oauth_keys === undefined ? {} : { oauth_keys: checkedOauthKeys(source.oauth_keys) }),
    create_time: milliseconds(now),
  };
}

/** As it is answered: what else belongs to a source is answered elsewhere. */
export function shownSource({ schema_config: _schema, tracking_plan: _plan, ...shown }: Source): Schemas['Source'] {
  return shown;
}

export function changeSource(
  current: Source,
  { source = {} }: Schemas['UpdateSource'],
  paths: readonly string[],
): Source {
  checkedOauthKeys(source.oauth_keys ?? []);
  const values = { ...source, library_config: libraryConfig(source.library_config) };
  return applyMask(current, { values, paths, empties: EMPTIES });
}

/** A source may bring the keys that devices in the field already have (D-10). */
function writeKeys(own: readonly string[] = []): string[] {
  if (new Set(own).size < own.length) throw new ApiError('InvalidArgument', 'source.write_keys holds a key twice');
  return own.length === 0 ? [newWriteKey()] : [...own];
}

/** All fields, and no others: what is not sent is empty. */
function libraryConfig(sent: Schemas['LibraryConfigInput'] = {}): Schemas['LibraryConfig'] {
  return {
    metrics_enabled: sent.metrics_enabled ?? LIBRARY_CONFIG.metrics_enabled,
    retry_queue: sent.retry_queue ?? LIBRARY_CONFIG.retry_queue,
    cross_domain_id_enabled: sent.cross_domain_id_enabled ?? LIBRARY_CONFIG.cross_domain_id_enabled,
    api_host: sent.api_host ?? LIBRARY_CONFIG.api_host,
  };
}
