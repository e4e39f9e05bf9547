import type { components } from '../../../generated/config-api.d.ts';
import type { Resources } from '../../storage/config-store.ts';
import { LIBRARY_CONFIG } from '../../model/stored-rows.ts';
import { newId } from '../identifiers.ts';
import { readNewName, slugOf } from '../resource-name.ts';
import { milliseconds } from '../times.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';
import { checkedOauthKeys } from './oauth-keys.ts';
import { checkKeysOfUpdate, keysOfCreate } from './write-keys.ts';

type Schemas = components['schemas'];
type Source = Resources['sources'];

export const EMPTIES: EmptyValues = {
  display_name: '',
  catalog_name: '',
  write_keys: [],
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
    write_keys: keysOfCreate(source.write_keys),
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

/** What can be seen of an update without the source that it will change; throws where it cannot be made (D-5). */
export function checkUpdate({ source = {} }: Schemas['UpdateSource'], paths: readonly string[]): void {
  checkedOauthKeys(source.oauth_keys ?? []);
  if (paths.includes('write_keys')) checkKeysOfUpdate(source.write_keys);
}

export function changeSource(
  current: Source,
  { source = {} }: Schemas['UpdateSource'],
  paths: readonly string[],
): Source {
  const values = { ...source, library_config: libraryConfig(source.library_config) };
  return applyMask(current, { values, paths, empties: EMPTIES });
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
