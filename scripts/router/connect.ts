import { createConfigClient, webhooksConfig } from '../../client/config/index.ts';

export interface Connection {
  /** Of the router, and an access token for it. */
  readonly url: string;
  readonly token: string;
  /** Default: main. */
  readonly workspace?: string;
  readonly slug: string;
  readonly hook: string;
  readonly sharedSecret?: string;
  readonly ordering?: 'user';
  readonly maxPerSecond?: number;
  readonly traceContext?: boolean;
}

/** Makes a source with a webhooks destination through the typed client; answers the source's write key. */
export async function connect({
  url,
  token,
  workspace = 'main',
  slug,
  hook,
  ...settings
}: Connection): Promise<string> {
  const client = createConfigClient({ baseUrl: url, token });
  const source = await client.sources.create({ name: `workspaces/${workspace}/sources/${slug}` });
  await client.destinations.create({
    name: `${source.name}/destinations/webhooks`,
    enabled: true,
    config: webhooksConfig({ hooks: [{ hook }], ...settings }),
  });
  const [writeKey] = source.write_keys;
  if (writeKey === undefined) throw new Error(`${source.name} came without a write key`);
  return writeKey;
}
