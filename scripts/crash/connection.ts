/** A source that is connected to one webhook. */
export interface Connection {
  readonly writeKey: string;
}

/** Full name of the source. */
export const SOURCE = 'workspaces/main/sources/crash';

/** Makes source and destination over the Config API. */
export async function connectWebhook(url: string, token: string, webhook: string): Promise<Connection> {
  const made: { write_keys: string[] } = await create(url, token, 'workspaces/main/sources', {
    source: { name: SOURCE, catalog_name: 'catalog/sources/javascript' },
  });
  const name = `${SOURCE}/destinations/webhooks`;
  const hooks = { name: `${name}/config/hooks`, type: 'mixed', value: [{ hook: webhook }] };
  await create(url, token, `${SOURCE}/destinations`, { destination: { name, enabled: true, config: [hooks] } });
  return { writeKey: made.write_keys[0] ?? '' };
}

async function create<Resource>(url: string, token: string, path: string, body: unknown): Promise<Resource> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1beta/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text}`);
  const resource: Resource = JSON.parse(text);
  return resource;
}
