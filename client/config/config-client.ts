import { checkOptions, type ConfigClientOptions } from './options.ts';
import { type ResourceMethods, resourceMethods } from './resource-methods.ts';
import type { ResourceKind } from './resources.ts';
import { createSend } from './send.ts';

/** The Config API, a property for each of its resources (S 1). */
export type ConfigClient = { readonly [Kind in ResourceKind]: ResourceMethods<Kind> };

/**
 * A client of the Config API (S 4.1). It holds no connection and no state: there is nothing to close, and one client
 * serves any number of calls at once. Throws a TypeError that names the option that cannot be used.
 *
 * ```ts
 * const client = createConfigClient({ baseUrl: 'http://127.0.0.1:8080', token });
 * await client.sources.create({ name: 'workspaces/main/sources/js', catalog_name: 'catalog/sources/javascript' });
 * for await (const source of client.sources.list('workspaces/main')) console.log(source.name);
 * await client.destinations.update('workspaces/main/sources/js/destinations/webhooks', { enabled: false });
 * ```
 */
export function createConfigClient(options: ConfigClientOptions): ConfigClient {
  const send = createSend(checkOptions(options));
  return {
    accessTokens: resourceMethods('accessTokens', send),
    workspaces: resourceMethods('workspaces', send),
    sources: resourceMethods('sources', send),
    destinations: resourceMethods('destinations', send),
    trackingPlans: resourceMethods('trackingPlans', send),
  };
}
