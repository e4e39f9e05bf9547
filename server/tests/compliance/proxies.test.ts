import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Analytics } from '@segment/analytics-node';
import { Agent, fetch, type RequestInit } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../scripts/check/free-port.ts';
import { connect } from '../../../scripts/router/connect.ts';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createReceiver } from '../../../testbed/index.ts';
import { createIdentity } from '../../../testbed/tls/certificate.ts';
import { PROXIES, startProxy } from '../support/proxy.ts';

const TOKEN = 'proxy-test-token-0123456789';

function certificates(): { readonly folder: string; readonly ca: string } {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [validFrom, validTo] = [Date.parse('2020-01-01T00:00:00Z'), Date.parse('2040-01-01T00:00:00Z')];
  const issuer = createIdentity({ name: 'Private CA', authority: true, validFrom, validTo });
  const { certificate, key } = createIdentity({ name: 'localhost', hosts: ['localhost'], issuer, validFrom, validTo });
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key);
  return { folder, ca: issuer.certificate };
}

test.each(PROXIES)('behind $name, with its file of deploy/proxy, SDKs and live events work', async (proxy) => {
  const { folder, ca } = certificates();
  const port = await freePort();
  const receiver = await createReceiver({ secret: 's3cret' });
  onTestFinished(() => receiver.close());
  const trust = { 'trusted-proxies': '127.0.0.1/32', 'public-url': `https://localhost:${port}` };
  const flags = { port: '0', 'data-dir': join(folder, 'data'), token: TOKEN, 'allow-networks': '127.0.0.0/8' };
  await using router = await startRouterProcess({ ...flags, ...trust });
  const url = await startProxy(proxy, folder, router.url, port);
  const hook = `${receiver.url}/hook`;
  const writeKey = await connect({ url: router.url, token: TOKEN, slug: 'web', hook, sharedSecret: 's3cret' });

  // From another address than the proxy's own, which the router is to see.
  const agent = new Agent({ connect: { ca }, localAddress: '127.0.0.2' });
  onTestFinished(() => agent.destroy());
  const ask = (path: string, init: RequestInit = {}) => fetch(path, { ...init, dispatcher: agent });

  const authorization = `Bearer ${TOKEN}`;
  const stream = await ask(`${url}/v1beta/workspaces/main/sources/web/accepted-events:stream`, {
    headers: { authorization, accept: 'text/event-stream' },
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const analytics = new Analytics({ writeKey, host: url, httpClient: ask });
  analytics.track({ userId: 'ada', event: 'Through The Proxy' });
  await analytics.closeAndFlush();
  let heard = '';
  while (!heard.includes('Through The Proxy')) heard += String((await reader?.read())?.value);
  await reader?.cancel();

  await ask(`${url}/v1/t`, { method: 'POST', body: JSON.stringify({ writeKey, userId: 'bo', event: 'From A Page' }) });
  const arrived = await receiver.waitFor({ count: 2, within: '60s' });
  const page = arrived.find(({ event }) => event?.['event'] === 'From A Page');
  expect(page?.event).toMatchObject({ context: { ip: '127.0.0.2' } });

  const settings = await ask(`${url}/v1/projects/${writeKey}/settings`);
  expect(JSON.stringify(await settings.json())).toContain(`localhost:${port}/v1`);
  const large = await ask(`${url}/v1/batch`, { method: 'POST', body: `{"batch":["${'x'.repeat(600_000)}"]}` });
  expect([large.status, await large.json()]).toMatchObject([413, { error: 'the body is larger than 512000 bytes' }]);
  // Where SDKs ask for a token: it is the router that refuses this one.
  expect((await ask(`${url}/token`, { method: 'POST' })).status).toBe(400);
  expect((await ask(`${url}/metrics`)).status).toBe(404);
});
