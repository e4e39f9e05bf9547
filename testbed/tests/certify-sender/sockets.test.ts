import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildConnector } from 'undici';
import { startWaybill } from '../../../server/app.ts';
import { createAddressGuard } from '../../../server/delivery/address-guard.ts';
import { createUndiciTransport } from '../../../server/delivery/undici-transport.ts';
import type { Transport } from '../../../server/ports/transport.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { certifySender } from '../../certify-sender/certify-sender.ts';
import type { Asked } from '../../certify-sender/trial.ts';
import { createAuthority } from '../../tls/tls-fault.ts';

const TOKEN = 'sender-certificate-0123456789';
const SECRET = 's3cret';
const WRITE_KEY = 'k'.repeat(32);
const SOURCE = 'workspaces/main/sources/tried';
/** What nobody can judge of a sender that promises neither an order nor a limit. */
const UNPROMISED = ['order', 'burst', 'burst-retries', 'rate'];
const quiet = (): void => {};
const LONG = { tags: ['long'] };
/** As in production, but for the times: so that each retry comes within a second or two. */
const POLICY = { firstWaitMs: 200, maxWaitMs: 2_000, deadlineMs: 2_500, windowMs: 240_000 };

/** A real router; it is told of the webhook once that listens. */
async function startRouter(opened: AsyncDisposableStack, seams: { readonly transport?: () => Transport } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tried-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const flags = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const waybill = await startWaybill(readSettings(flags, {}), log, { policy: POLICY, ...seams });
  opened.defer(() => waybill.stop());
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${waybill.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBe(200);
  };
  await post('/v1beta/workspaces/main/sources', { source: { name: SOURCE, write_keys: [WRITE_KEY] } });
  return {
    sendTo: async (hook: string, settings: Readonly<Record<string, unknown>> = {}) => {
      const config = [
        { name: 'hooks', value: [{ hook }] },
        { name: 'sharedSecret', value: SECRET },
        ...Object.entries(settings).map(([name, value]) => ({ name, value })),
      ];
      const destination = { name: `${SOURCE}/destinations/webhooks`, enabled: true, config };
      await post(`/v1beta/${SOURCE}/destinations`, { destination });
    },
    trigger: async ({ mark }: Asked) =>
      post('/v1/track', { writeKey: WRITE_KEY, userId: 'ada', event: 'Tried', properties: { mark } }),
  };
}

test.concurrent('a real router passes on sockets all that plain http can show', async () => {
  await using opened = new AsyncDisposableStack();
  const router = await startRouter(opened);
  const { results } = await certifySender({
    trigger: router.trigger,
    budgetMs: 60_000,
    secret: SECRET,
    onListening: async ({ url }) => router.sendTo(`${url}/hook`),
  });
  const notWell = results.filter(({ verdict, id }) => verdict !== 'passed' && !id.startsWith('tls-'));
  expect(notWell.map(({ id }) => id)).toEqual(UNPROMISED);
});

test.concurrent('a real router keeps to its limit and to the order of a user on sockets', LONG, async () => {
  await using opened = new AsyncDisposableStack();
  const router = await startRouter(opened);
  const { results } = await certifySender({
    trigger: router.trigger,
    budgetMs: 120_000,
    retryWithinMs: 10_000,
    maxPerSecond: 2,
    ordered: true,
    secret: SECRET,
    onListening: async ({ url }) => router.sendTo(`${url}/hook`, { maxPerSecond: 2, ordering: 'user' }),
  });
  const notWell = results.filter(({ verdict, id }) => verdict !== 'passed' && !id.startsWith('tls-'));
  expect(notWell.map(({ id }) => id)).toEqual(['side-by-side', 'not-held-up']);
});

/** The transport of production, which trusts one more authority, as with NODE_EXTRA_CA_CERTS. */
function trusting(ca: string): Transport {
  return createUndiciTransport(createAddressGuard(['127.0.0.0/8']), POLICY.deadlineMs, {
    dialler: (options) => buildConnector({ ...options, ca }),
  });
}

test.concurrent('a real router passes over TLS all that it promises, of certificates as well', LONG, async () => {
  await using opened = new AsyncDisposableStack();
  const authority = createAuthority(Date.now());
  const transport = trusting(authority.certificate);
  opened.defer(() => transport.close());
  const router = await startRouter(opened, { transport: () => transport });
  const { url, results } = await certifySender({
    trigger: router.trigger,
    budgetMs: 120_000,
    retryWithinMs: 10_000,
    secret: SECRET,
    tls: authority,
    onListening: async ({ url: base }) => router.sendTo(`${base}/hook`),
  });
  expect(url).toMatch(/^https:/);
  expect(results.filter(({ verdict }) => verdict !== 'passed').map(({ id }) => id)).toEqual(UNPROMISED);
  expect(results.filter(({ id }) => id.startsWith('tls-'))).toHaveLength(5);
});
