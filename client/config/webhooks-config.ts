import type { components } from '../../generated/config-api.d.ts';

type Schemas = components['schemas'];

/** The settings of a webhooks destination. */
export type WebhooksSettings = Readonly<Schemas['WebhooksSettings']>;

/**
 * The `config` of a webhooks destination, to create or to update it. Other destinations have entries of any name.
 *
 * Settings that are not given stay as they are. One that is undefined is a TypeError: as an entry without a value it would
 * be emptied, and a secret that was forgotten in the environment would end the signing of requests.
 *
 * ```ts
 * const config = webhooksConfig({ hooks: [{ hook: 'https://receiver.example/hooks' }], sharedSecret });
 * await client.destinations.update('workspaces/main/sources/js/destinations/webhooks', { config });
 * ```
 */
export function webhooksConfig(settings: WebhooksSettings): Schemas['ConfigEntryInput'][] {
  return Object.entries(settings).map(([name, value]) => {
    if (value !== undefined) return { name, value };
    throw new TypeError(`webhooksConfig: ${name} is undefined; give it a value, or leave it out to keep what is set`);
  });
}
