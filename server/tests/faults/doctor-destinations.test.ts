import { once } from 'node:events';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkClock } from '../../cli/doctor/clock.ts';
import { checkHosts, connectTo, type HostPorts } from '../../cli/doctor/destinations.ts';
import { webhookHostsIn } from '../../cli/doctor/webhook-hosts.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { openFileStorage } from '../../storage/file/open-file-storage.ts';
import { NO_KEYS } from '../../storage/secrets/keyring.ts';
import { destination, source, workspace } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { portOf } from '../support/raw-receiver.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const D = 'workspaces/main/sources/js/destinations/webhooks';

const ADDRESSES: Readonly<Record<string, string>> = { good: '93.184.215.14', inside: '10.0.0.1' };
/** Those of `good` and of `inside`. */
const MIXED = ['93.184.215.14', '10.0.0.1'];

/** Names without a row are not found; certificates end after so many days. */
function portsWith(days: number | Error): HostPorts {
  return {
    resolve: async (name) => {
      if (name === 'mixed') return MIXED.map((address) => ({ address, family: 4 }));
      const address = ADDRESSES[name];
      if (address === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return [{ address, family: 4 }];
    },
    guard: createAddressGuard([]),
    connect: async () => {
      if (typeof days !== 'number') throw days;
      return new Date(NOW + days * DAY_MS);
    },
    now: NOW,
  };
}

function hosts(...urls: string[]) {
  return urls.map((url) => ({ url: new URL(url), destination: D }));
}

test('each host that a webhook cannot reach is told with the reason and the way out, and no path of a webhook is', async () => {
  const all = hosts('https://good/secret-path', 'https://gone/secret-path', 'http://inside/secret-path');
  const findings = await checkHosts(all, portsWith(90));
  expect(findings).toEqual([
    {
      check: 'DNS',
      status: 'failed',
      detail: expect.stringContaining(`gone (${D}) is not found (ENOTFOUND): correct`),
    },
    { check: 'addresses', status: 'failed', detail: expect.stringContaining('leads to 10.0.0.1 (') },
    { check: 'destinations', status: 'ok', detail: 'hosts of webhooks that can be reached: 1' },
  ]);
  expect(JSON.stringify(findings)).not.toContain('secret-path');
});

test('a host with an address that is refused is told, as its webhooks are refused whatever else it has', async () => {
  const [fault] = await checkHosts(hosts('https://mixed/'), portsWith(90));
  expect(fault).toMatchObject({ check: 'addresses', status: 'failed' });
  expect(fault?.detail).toContain('leads to 10.0.0.1 (');
});

test('a certificate that is refused fails, and one that ends soon is a warning', async () => {
  const refused = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const [fault] = await checkHosts(hosts('https://good/'), portsWith(refused));
  expect(fault).toMatchObject({ check: 'TLS', status: 'failed' });
  expect(fault?.detail).toContain('DEPTH_ZERO_SELF_SIGNED_CERT; look at the certificate of the receiver');
  const [soon] = await checkHosts(hosts('https://good/'), portsWith(10));
  expect(soon).toMatchObject({ check: 'TLS', status: 'warning' });
  expect(soon?.detail).toContain('2026-11-30T12:00:00.000Z: its owner must renew it');
});

test('a connection is made without a request, and what is no TLS fails', async () => {
  const heard: unknown[] = [];
  const server = createServer((socket) => socket.on('data', (chunk) => (heard.push(chunk), socket.end('not TLS'))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const at = `localhost:${portOf(server)}`;
  expect(await connectTo(new URL(`http://${at}/hook`), '127.0.0.1')).toBeUndefined();
  expect(heard).toEqual([]);
  await expect(connectTo(new URL(`https://${at}/hook`), '127.0.0.1')).rejects.toThrow(/SSL|TLS/);
});

test('the hosts of enabled webhooks are read beside the router that uses the folder', async () => {
  const folder = newFolder();
  const storage = await openFileStorage(folder, new RecordingLog());
  onTestFinished(() => storage.close());
  expect(await webhookHostsIn(newFolder(), NO_KEYS)).toEqual([]);
  await storage.resources.create('workspaces', workspace('main'));
  await storage.resources.create('sources', source('main', 'js'));
  const one = destination('workspaces/main/sources/js');
  const hooks = { name: `${one.name}/config/hooks`, display_name: 'hooks', type: 'mixed' as const };
  const config = [{ ...hooks, value: [{ hook: 'https://example.com/hook', headers: [] }] }];
  await storage.resources.create('destinations', { ...one, enabled: true, config });
  const other = destination('workspaces/main/sources/js', 'other');
  const foreign = { ...hooks, name: `${other.name}/config/hooks`, value: 7 };
  await storage.resources.create('destinations', { ...other, enabled: true, config: [foreign] });
  expect(await webhookHostsIn(folder, NO_KEYS)).toEqual([
    { url: new URL('https://example.com/hook'), destination: one.name },
  ]);
  await storage.resources.update('destinations', one.name, (current) => ({ ...current, enabled: false }));
  expect(await webhookHostsIn(folder, NO_KEYS)).toEqual([]);
});

test('a clock that was set back is found by what was written later', () => {
  const folder = newFolder();
  expect(checkClock(folder, NOW).status).toBe('ok');
  mkdirSync(join(folder, 'config'));
  const file = join(folder, 'config/root.json');
  writeFileSync(file, '{}');
  utimesSync(file, new Date(NOW), new Date(NOW + 30_000));
  expect(checkClock(folder, NOW).status).toBe('ok');
  utimesSync(file, new Date(NOW), new Date(NOW + DAY_MS));
  expect(checkClock(folder, NOW)).toMatchObject({ status: 'warning' });
  expect(checkClock(folder, NOW).detail).toContain('data was written at 2026-11-21T12:00:00.000Z: set the clock');
});
