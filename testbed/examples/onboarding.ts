import { createConfigClient, isConfigApiError, webhooksConfig } from '@waybill/client/config';

/** Connects a new customer: a source of its own, and a webhook that is signed. Answers the write key of the source. */
export async function connectCustomer(
  router: { readonly baseUrl: string; readonly token: string },
  customer: { readonly slug: string; readonly hook: string; readonly secret: string },
): Promise<string> {
  const client = createConfigClient({ ...router, retry: { maxRetries: 0 } });
  const name = `workspaces/main/sources/${customer.slug}`;
  const source = await client.sources.create({ name }).catch((error: unknown) => {
    // It is there from an earlier try: take it.
    if (isConfigApiError(error) && error.status === 409) return client.sources.get(name);
    throw error;
  });
  await client.destinations.create({
    name: `${name}/destinations/webhooks`,
    enabled: true,
    config: webhooksConfig({ hooks: [{ hook: customer.hook }], sharedSecret: customer.secret }),
  });
  return source.write_keys[0] ?? '';
}
