/**
 * What must compile, and what must not: the compiler is the test. Each `@ts-expect-error` is an error itself once the
 * line below it compiles. Nothing here runs.
 */
import { expectTypeOf } from 'vitest';
import type { components } from '../../../generated/config-api.d.ts';
import {
  type Changes,
  type ConfigApiErrorKind,
  type ConfigClient,
  createConfigClient,
  isConfigApiError,
  type NewResource,
  type ParsedName,
  type Resource,
  type ResourceKind,
  type UpdatePath,
  webhooksConfig,
} from '../../config/index.ts';

type Schemas = components['schemas'];

declare const client: ConfigClient;
declare const source: Schemas['Source'];
declare const destination: Schemas['Destination'];
const W = 'workspaces/main';
const S = 'workspaces/main/sources/js';

export function resources(): void {
  expectTypeOf<ResourceKind>().toExtend<keyof ConfigClient>();
  expectTypeOf<Resource<'accessTokens'>>().toEqualTypeOf<Schemas['AccessToken']>();
  expectTypeOf<Resource<'workspaces'>>().toEqualTypeOf<Schemas['Workspace']>();
  expectTypeOf<Resource<'sources'>>().toEqualTypeOf<Schemas['Source']>();
  expectTypeOf<Resource<'destinations'>>().toEqualTypeOf<Schemas['Destination']>();
  expectTypeOf<Resource<'filters'>>().toEqualTypeOf<Schemas['Filter']>();
  expectTypeOf<Resource<'trackingPlans'>>().toEqualTypeOf<Schemas['TrackingPlan']>();
  expectTypeOf<NewResource<'sources'>>().toEqualTypeOf<Schemas['CreateSource']['source']>();
  expectTypeOf<NewResource<'accessTokens'>>().toEqualTypeOf<Schemas['CreateAccessToken']['access_token']>();
}

export async function answers(): Promise<void> {
  expectTypeOf(client.sources.get(S)).resolves.toEqualTypeOf<Schemas['Source']>();
  expectTypeOf(client.workspaces.create({ name: W })).resolves.toEqualTypeOf<Schemas['Workspace']>();
  expectTypeOf(client.destinations.update(S, {})).resolves.toEqualTypeOf<Schemas['Destination']>();
  expectTypeOf(client.trackingPlans.delete(S)).resolves.toEqualTypeOf<void>();
  for await (const token of client.accessTokens.list()) expectTypeOf(token).toEqualTypeOf<Schemas['AccessToken']>();
  // @ts-expect-error -- a workspace has no write keys
  void (await client.workspaces.get(W)).write_keys;
  // @ts-expect-error -- there is no such resource
  void client.warehouses;
}

export function lists(): void {
  client.sources.list(W, { pageSize: 10, signal: AbortSignal.abort() });
  client.workspaces.list({ pageSize: 10 });
  // @ts-expect-error -- sources stand in a workspace
  client.sources.list();
  // @ts-expect-error -- the parent comes first
  client.destinations.list({ pageSize: 10 });
  // @ts-expect-error -- workspaces stand alone
  client.workspaces.list(W);
  // @ts-expect-error -- access tokens stand alone
  client.accessTokens.list(W);
  // @ts-expect-error -- a page size is a number
  client.sources.list(W, { pageSize: '10' });
  // @ts-expect-error -- options are in camel case
  client.sources.list(W, { page_size: 10 });
}

export function creates(): void {
  void client.sources.create({ name: S, catalog_name: 'catalog/sources/javascript', labels: { team: 'web' } });
  void client.trackingPlans.create(W, { display_name: 'Plan' }, { signal: AbortSignal.abort() });
  void client.accessTokens.create({ description: 'of CI', scopes: 'workspace:read' });
  // @ts-expect-error -- a source needs a name
  void client.sources.create({ catalog_name: 'catalog/sources/javascript' });
  // @ts-expect-error -- the name says where a source stands
  void client.sources.create(W, { name: S });
  // @ts-expect-error -- the API generates the id of a tracking plan, so it needs a parent
  void client.trackingPlans.create({ display_name: 'Plan' });
  // @ts-expect-error -- a tracking plan needs a display name
  void client.trackingPlans.create(W, { rules: {} });
  // @ts-expect-error -- a tracking plan gets its name from the API
  void client.trackingPlans.create(W, { name: 'x', display_name: 'Plan' });
  // @ts-expect-error -- there is no such scope
  void client.accessTokens.create({ description: 'of CI', scopes: 'everything' });
  // @ts-expect-error -- there is no such field
  void client.sources.create({ name: S, catalogName: 'catalog/sources/javascript' });
  // @ts-expect-error -- labels are texts
  void client.sources.create({ name: S, labels: { number: 7 } });
  // @ts-expect-error -- there is no such mode
  void client.destinations.create({ name: S, connection_mode: 'CLOUDY' });
}

export function updates(maybe: boolean | undefined): void {
  void client.destinations.update(destination.name, { enabled: false });
  void client.destinations.update(destination.name, { enabled: maybe, display_name: undefined });
  void client.sources.update(S, { library_config: { retry_queue: maybe, api_host: 'x' } });
  void client.sources.update(S, {}, { paths: ['labels', 'source.labels', 'source.library_config.api_host'] });
  // @ts-expect-error -- there is no such field
  void client.destinations.update(S, { enable: false });
  // @ts-expect-error -- enabled is a boolean
  void client.destinations.update(S, { enabled: 'false' });
  // @ts-expect-error -- the API sets the name
  void client.destinations.update(S, { name: S });
  // @ts-expect-error -- so a whole resource is no change
  void client.destinations.update(S, { ...destination, enabled: false });
  void client.sources.update(S, { write_keys: source.write_keys });
  // @ts-expect-error -- write keys are a list
  void client.sources.update(S, { write_keys: 'key' });
  // @ts-expect-error -- the mask is an option
  void client.destinations.update(S, { enabled: false, update_mask: { paths: ['enabled'] } });
  // @ts-expect-error -- no update can change this path
  void client.destinations.update(S, {}, { paths: ['destination.name'] });
  // @ts-expect-error -- nor this, which is of another resource
  void client.sources.update(S, {}, { paths: ['destination.enabled'] });
  // @ts-expect-error -- nor this, which is not there
  void client.sources.update(S, {}, { paths: ['library_config.retries'] });
  // @ts-expect-error -- nor this: labels are one value
  void client.sources.update(S, {}, { paths: ['labels.team'] });
  // @ts-expect-error -- changes are needed, if none
  void client.sources.update(S);
  expectTypeOf<UpdatePath<'workspaces'>>().toEqualTypeOf<'display_name' | 'workspace.display_name'>();
  expectTypeOf<UpdatePath<'accessTokens'>>().toEqualTypeOf<'description' | 'access_token.description'>();
  expectTypeOf<Changes<'workspaces'>['display_name']>().toEqualTypeOf<string | undefined>();
}

export function webhooks(hook: string, sharedSecret: string): void {
  const headers = { 'X-Team': 'web' };
  void client.destinations.create({ name: S, config: webhooksConfig({ hooks: [{ hook, headers }], sharedSecret }) });
  void client.destinations.update(S, { config: webhooksConfig({ globalHook: '' }) });
  webhooksConfig({ hooks: [{ hook, headers: [{ key: 'X-Team', value: 'web' }] }] });
  // Other destinations have settings of any name.
  void client.destinations.create({ name: S, config: [{ name: 'apiKey', value: 'x' }] });
  // @ts-expect-error -- there is no such setting
  webhooksConfig({ hooks: [{ hook }], sharedSecert: sharedSecret });
  // @ts-expect-error -- names are those of the API
  webhooksConfig({ shared_secret: sharedSecret });
  // @ts-expect-error -- a secret is a string
  webhooksConfig({ sharedSecret: { value: sharedSecret } });
  // @ts-expect-error -- hooks are a list
  webhooksConfig({ hooks: { hook } });
  // @ts-expect-error -- of objects
  webhooksConfig({ hooks: [hook] });
  // @ts-expect-error -- that have a hook
  webhooksConfig({ hooks: [{ headers }] });
  // @ts-expect-error -- and nothing but headers beside it
  webhooksConfig({ hooks: [{ hook, header: headers }] });
  // @ts-expect-error -- the value of a header is a string
  webhooksConfig({ hooks: [{ hook, headers: { 'X-Version': 1 } }] });
  // @ts-expect-error -- in a list it is called value
  webhooksConfig({ hooks: [{ hook, headers: [{ key: 'X-Team', text: 'web' }] }] });
}

export function deletes(): void {
  void client.workspaces.delete(W, { force: true, signal: AbortSignal.abort() });
  // @ts-expect-error -- only workspaces are removed by force
  void client.sources.delete(S, { force: true });
  // @ts-expect-error -- force is a boolean
  void client.workspaces.delete(W, { force: 'true' });
  // @ts-expect-error -- names are texts
  void client.sources.delete(source);
}

export function errors(error: unknown, name: ParsedName): void {
  if (isConfigApiError(error)) expectTypeOf(error.kind).toEqualTypeOf<ConfigApiErrorKind>();
  if (isConfigApiError(error, 'NotFound', 'Timeout')) expectTypeOf(error.kind).toEqualTypeOf<'NotFound' | 'Timeout'>();
  // @ts-expect-error -- there is no such kind
  isConfigApiError(error, 'Teapot');
  if (name.kind === 'destinations') expectTypeOf(name.destination).toEqualTypeOf<string>();
  // @ts-expect-error -- not every name has a source
  void name.source;
}

export function options(): void {
  createConfigClient({
    baseUrl: 'http://router',
    token: 'x',
    fetch: (request) => fetch(request),
    retry: { maxRetries: 1, firstWaitMs: undefined },
  });
  // @ts-expect-error -- a token is needed
  createConfigClient({ baseUrl: 'http://router' });
  // @ts-expect-error -- the option is called baseUrl
  createConfigClient({ baseURL: 'http://router', token: 'x' });
  // @ts-expect-error -- there is no such option of retries
  createConfigClient({ baseUrl: 'http://router', token: 'x', retry: { limit: 1 } });
}
