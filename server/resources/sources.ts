import { createPublicKey, type KeyObject } from 'node:crypto';
import type { components } from '../../generated/config-api.d.ts';
import { REDACTED } from '../destinations/redacted-settings.ts';
import { ApiError } from '../http/errors.ts';
import { parentOf, slugOf } from '../model/resource-names.ts';
import type { LibraryConfig, OauthKey, Source } from '../model/resources.ts';
import { LET_THROUGH, LIBRARY_CONFIG } from '../model/stored-rows.ts';
import { settingsOf } from '../tracking/schema-settings.ts';
import { requireMatch } from './entity-tag.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { editing, found, methodsOf, requireParent, requireVisible } from './kit.ts';
import { requireWithinReach } from './callers.ts';
import { nameOf, readNewName } from './names.ts';
import { NewNames } from './new-names.ts';
import { listPage } from './pages.ts';
import { applyMask, type EmptyValues, readMask } from './update-mask.ts';

type Schemas = components['schemas'];
type NewSource = Schemas['CreateSource']['source'];
type Changes = NonNullable<Schemas['UpdateSource']['source']>;

const EMPTIES: EmptyValues = {
  display_name: '',
  catalog_name: '',
  write_keys: [],
  labels: {},
  oauth_keys: [],
  library_config: LIBRARY_CONFIG,
  ...Object.fromEntries(Object.entries(LIBRARY_CONFIG).map(([field, empty]) => [`library_config.${field}`, empty])),
};

export function sourceHandlers({ store, clock, newNames, turns }: Env) {
  const { list, create, get, update, remove } = methodsOf(store, {
    kind: 'sources',
    key: 'source',
    plural: 'sources',
    turns,
    empties: EMPTIES,
    make: (wanted: NewSource, parent) => makeSource(wanted, parent, clock.now(), newNames),
    show: shownOnce(shownSource),
    edit: editSource,
  });
  return {
    listSources: list,
    createSource: create,
    getSource: get,
    updateSource: update,
    deleteSource: remove,
    ...schemaConfigHandlers(store),
  } satisfies Partial<ConfigHandlers>;
}

export function makeSource(wanted: NewSource, parent: string, now: number, names = new NewNames()): Source {
  const name = readNewName({ given: wanted.name, within: `${parent}/sources/`, field: 'source.name' });
  return {
    name,
    parent,
    id: names.id(),
    display_name: wanted.display_name ?? slugOf(name),
    catalog_name: wanted.catalog_name ?? '',
    // A source may bring the keys that devices in the field already have (D-10).
    write_keys: wanted.write_keys?.length ? checkedWriteKeys(wanted.write_keys) : [names.writeKey()],
    library_config: libraryConfig(wanted.library_config),
    labels: wanted.labels ?? {},
    ...(wanted.oauth_keys === undefined ? {} : { oauth_keys: checkedOauthKeys(wanted.oauth_keys) }),
    create_time: new Date(now).toISOString(),
  };
}

/** What else belongs to a source is answered elsewhere. */
function shownSource({ schema_config: _schema, tracking_plan: _plan, ...shown }: Source): Schemas['Source'] {
  return shown;
}

function editSource(changes: Changes = {}, paths: readonly string[]): (current: Source) => Source {
  checkedOauthKeys(changes.oauth_keys ?? []);
  if (paths.includes('write_keys')) requireWriteKeys(changes.write_keys);
  return editing({ ...changes, library_config: libraryConfig(changes.library_config) }, paths, EMPTIES);
}

/** All fields, and no others: what is not sent is empty. */
function libraryConfig(sent: Schemas['LibraryConfigInput'] = {}): LibraryConfig {
  return {
    metrics_enabled: sent.metrics_enabled ?? LIBRARY_CONFIG.metrics_enabled,
    retry_queue: sent.retry_queue ?? LIBRARY_CONFIG.retry_queue,
    cross_domain_id_enabled: sent.cross_domain_id_enabled ?? LIBRARY_CONFIG.cross_domain_id_enabled,
    api_host: sent.api_host ?? LIBRARY_CONFIG.api_host,
  };
}

/** An update replaces the whole list. An empty one would lock out every sender, so it is refused. */
function requireWriteKeys(sent: readonly string[] = []): void {
  if (sent.length === 0)
    throw invalid('write_keys must hold 1 to 10 keys, got none; an update replaces the whole list');
  checkedWriteKeys(sent);
}

/** Errors do not repeat a key. What a read-only token is shown in the place of one would be a key that everybody knows. */
function checkedWriteKeys(keys: readonly string[]): string[] {
  if (new Set(keys).size < keys.length) throw invalid('write_keys contains a key twice');
  if (!keys.includes(REDACTED)) return [...keys];
  throw invalid(`write_keys holds ${REDACTED}: read the source with a token of the scope "workspace"`);
}

const RSA_BITS = 2_048;

/** The keys as they were sent, once each of them is one that an assertion can be checked with. */
function checkedOauthKeys(keys: OauthKey[]): OauthKey[] {
  const ids = new Set(keys.map(({ key_id }) => key_id));
  if (ids.size < keys.length) throw invalid('oauth_keys contains a key_id twice');
  for (const [index, { public_key }] of keys.entries()) {
    const fault = faultOf(public_key);
    if (fault !== undefined) throw invalid(`oauth_keys[${index}].public_key ${fault}`);
  }
  return keys;
}

function faultOf(pem: string): string | undefined {
  if (!pem.trim().startsWith('-----BEGIN PUBLIC KEY-----')) return 'is not a PEM public key (BEGIN PUBLIC KEY)';
  const key = parsePublicKey(pem);
  if (key === undefined) return 'is not a valid public key';
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS) return undefined;
  return namedCurve === 'prime256v1' ? undefined : 'is neither RSA of 2048 bits or more nor EC P-256';
}

function parsePublicKey(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function invalid(problem: string): ApiError {
  return new ApiError('InvalidArgument', `source.${problem}`);
}

/** The empty text is no value of an enum, so there it is ALLOW (CFG-8). */
const SCHEMA_EMPTIES: EmptyValues = Object.fromEntries(
  Object.entries(LET_THROUGH).map(([field, value]) => [field, typeof value === 'boolean' ? false : value]),
);

const FORWARDS = ['forwarding_blocked_events_to', 'forwarding_violations_to'] as const;

/** The schema configuration of a source lives and goes with it. */
function schemaConfigHandlers(store: Env['store']) {
  return {
    async listSchemaConfigs({ path, query, caller }) {
      const parent = await requireParent(store, caller, nameOf('workspaces', path));
      const page = await listPage(store, { kind: 'sources', parent, collection: `${parent}/schema-configs`, query });
      return { schema_configs: page.items.map(shownSchemaConfig), next_page_token: page.next_page_token };
    },

    async getSchemaConfig({ path, caller }) {
      const name = requireVisible(caller, nameOf('sources', path));
      return shownSchemaConfig(found(await store.get('sources', name), name));
    },

    async updateSchemaConfig({ path, header, body: { schema_config: values = {}, update_mask: mask }, caller }) {
      const paths = readMask({ key: 'schema_config', masks: [mask, values.update_mask], empties: SCHEMA_EMPTIES });
      const name = requireVisible(caller, nameOf('sources', path));
      for (const field of FORWARDS)
        if (paths.includes(field) && values[field])
          requireWithinReach(caller, field, `${parentOf(name)}/sources/${values[field]}`);
      const changed = await store.update('sources', name, (source) => {
        requireMatch(header, source, shownSchemaConfig);
        if (paths.length === 0) return source;
        return { ...source, schema_config: applyMask(settingsOf(source), { values, paths, empties: SCHEMA_EMPTIES }) };
      });
      return shownSchemaConfig(found(changed, name));
    },
  } satisfies Partial<ConfigHandlers>;
}

function shownSchemaConfig(source: Source): Schemas['SchemaConfig'] {
  return { name: `${source.name}/schema-config`, parent: source.name, ...settingsOf(source) };
}
