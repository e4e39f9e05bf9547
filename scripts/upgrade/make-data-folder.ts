/**
 * Makes the fixture of a released version (NODE-7): `npx node scripts/upgrade/make-data-folder.ts <checkout> <target>`.
 * A real router of that checkout is used over HTTP, killed in the midst of its work, and what it left and had answered
 * goes into one file. It was written for v0.1.0 (a2821d6).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startPaths } from './paths-receiver.ts';

const TOKEN = 'released-version-token-0123456789';
const MAIN = 'workspaces/main';
const ROUTER = fileURLToPath(new URL('released-router.ts', import.meta.url));

const FILTERS = [
  { title: 'No tests', if: 'event = "Test"', actions: [{ type: 'drop_event' }], enabled: true },
  {
    title: 'Some',
    if: 'event = "Sampled"',
    actions: [{ type: 'sample_event', percent: 0.5, path: 'userId' }],
    enabled: false,
  },
  {
    title: 'Fields',
    description: 'keeps what is needed',
    if: 'all',
    actions: [{ type: 'blacklist_fields', fields: { properties: { fields: ['password'] } } }],
    enabled: true,
  },
];

/** What stands below each kind of resource. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  workspaces: ['sources', 'tracking-plans', 'regulations', 'suppressed-users'],
  sources: ['destinations'],
  destinations: ['filters', 'deliveries', 'replays'],
  'tracking-plans': ['source-connections'],
};

const [checkout = '', target = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'waybill-fixture-'));
const receiver = await startPaths();
let url = '';

// The first life: everything that has ended.
let router = await start({ windowMs: 3_000, deadlineMs: 1_000, firstWaitMs: 200, maxWaitMs: 1_000, parkAfter: 50 });
await configure();
await send('ok', 'delivered', 3);
await send('flaky', 'delivered-later', 2);
await send('gone', 'failed', 12);
await send('down', 'expired', 2);
await send('off', 'cancelled', 2);
await until('/ok', 'delivered', 3);
await until('/flaky', 'delivered', 2);
await until('/gone', 'failed', 12);
await call('PATCH', destinationOf('off'), {
  destination: { enabled: false },
  update_mask: { paths: ['destination.enabled'] },
});
await until('/off', 'cancelled', 2);
await until('/down', 'expired', 2);
const [{ name: failed = '' } = {}] = await deliveries('gone', 'failed');
await call('POST', `${failed}:replay`);
await until('/gone', 'failed', 12);
await replay('gone', { filter: { state: 'failed' }, dry_run: true }, 'finished');
await replay('flaky', { filter: { state: 'delivered' }, per_second: 1_000 }, 'finished');
const { name: endless = '' } = await call('POST', `${destinationOf('gone')}/replays`, {
  per_second: 1,
  filter: { state: 'failed' },
});
await call('POST', `${endless}:cancel`);
await until('/gone', 'failed', 12);
for (const type of ['Suppress', 'Suppress_With_Delete', 'Delete', 'Delete_Internal']) await regulate(type, `u-${type}`);
await regulate('Suppress', 'u-free');
await regulate('Unsuppress', 'u-free');
router.kill('SIGTERM');
await once(router, 'exit');

// The second: what is under way at its end.
router = await start({ firstWaitMs: 60_000, parkAfter: 2 });
await send('down', 'pending', 3);
await send('parked', 'parked', 5);
await send('half', 'half-closed', 1);
await send('ok', 'delivered-again', 1);
await until('/ok', 'delivered', 4);
await until('/half', 'pending', 1);
await until('/down', 'pending', 3);
await sleep(1_000);
const running = await call('POST', `${destinationOf('gone')}/replays`, { filter: { state: 'failed' }, per_second: 1 });
await sleep(2_500);
await send('slow', 'trying', 3);
await until('/slow', 'trying', 3);
const answers: Record<string, unknown> = {};
await record('access-tokens', 'workspaces');
const regulation = await call('POST', `${MAIN}/regulations`, {
  regulation_type: 'Suppress_With_Delete',
  attributes: { name: 'userId', values: ['u-last'] },
});
const madeAt = Date.now();
router.kill('SIGKILL');
await once(router, 'exit');

const names = globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
const made = { version: '0.1.0', madeAt, port: receiver.port, token: TOKEN, running, regulation, answers, files };
writeFileSync(target, gzipSync(JSON.stringify(made), { level: 9 }));
console.log(`${target}: ${statSync(target).size} bytes, ${names.join(', ')}, ${Object.keys(answers).length} answers`);
rmSync(folder, { recursive: true });
receiver.close();

async function start(policy: object): Promise<ChildProcess> {
  const flags = [
    '--port',
    '0',
    '--data-dir',
    folder,
    '--token',
    TOKEN,
    '--allow-networks',
    '127.0.0.0/8',
    '--rate-limit',
    '0',
  ];
  const child = spawn(process.execPath, [ROUTER, checkout, JSON.stringify(policy), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the router ended')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"listening"')) resolve(readUrl(line));
    });
  });
  return child;
}

function readUrl(line: string): string {
  const { url: found }: { url: string } = JSON.parse(line);
  return found;
}

async function configure(): Promise<void> {
  await call('POST', 'workspaces', { workspace: { name: 'workspaces/other', display_name: 'Another' } });
  await call('POST', 'access-tokens', {
    access_token: { description: 'CI', scopes: 'workspace:read', workspace_names: [MAIN] },
  });
  const format = {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  } as const;
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, ...format });
  await call('POST', 'workspaces/other/sources', {
    source: {
      name: 'workspaces/other/sources/full',
      catalog_name: 'catalog/sources/http-api',
      labels: { team: 'web', stage: 'test' },
      library_config: {
        metrics_enabled: true,
        retry_queue: true,
        cross_domain_id_enabled: true,
        api_host: 'api.example.com',
      },
      oauth_keys: [{ key_id: 'first', public_key: publicKey }],
    },
  });
  for (const slug of ['ok', 'flaky', 'gone', 'down', 'off', 'parked', 'slow', 'half']) await makeSource(slug);
  await makePlan();
  for (const filter of FILTERS) await call('POST', `${destinationOf('ok')}/filters`, { filter });
}

async function makeSource(slug: string): Promise<void> {
  const name = `${MAIN}/sources/${slug}`;
  await call('POST', `${MAIN}/sources`, { source: { name, display_name: `Source ${slug}` } });
  const paths = slug === 'half' ? ['gone', 'down'] : [slug];
  const hooks = paths.map((path) => ({
    hook: `http://127.0.0.1:${receiver.port}/${path}`,
    headers: [{ key: 'X-Team', value: path }],
  }));
  const config = [
    { name: 'hooks', value: hooks },
    { name: 'sharedSecret', value: `secret-of-${slug}` },
  ];
  await call('POST', `${name}/destinations`, {
    destination: { name: destinationOf(slug), enabled: true, connection_mode: 'CLOUD', config },
  });
}

async function makePlan(): Promise<void> {
  const properties = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  const rules = {
    events: [{ name: 'Order Completed', rules: { type: 'object', properties: { properties } } }],
    identify_traits: [],
    group_traits: [],
  };
  const { name = '' } = await call('POST', `${MAIN}/tracking-plans`, {
    tracking_plan: { display_name: 'Shop', rules },
  });
  await call('POST', `${name}/source-connections`, { source_name: `${MAIN}/sources/flaky` });
  await call('PATCH', `${MAIN}/sources/flaky/schema-config`, {
    schema_config: { allow_unplanned_track_events: true, common_track_event_on_violations: 'OMIT_PROPERTIES' },
    update_mask: {
      paths: ['schema_config.allow_unplanned_track_events', 'schema_config.common_track_event_on_violations'],
    },
  });
}

function destinationOf(slug: string): string {
  return `${MAIN}/sources/${slug}/destinations/webhooks`;
}

async function send(slug: string, prefix: string, count: number): Promise<void> {
  const { write_keys: [writeKey] = [] } = await call('GET', `${MAIN}/sources/${slug}`);
  const batch = Array.from({ length: count }, (_, index) => ({
    type: 'track',
    event: 'Order Completed',
    userId: `u${index}`,
    messageId: `${prefix}-${index}`,
    properties: { total: index, password: 'p' },
  }));
  const users = ['u-Suppress_With_Delete', 'u-Delete', 'u-last'].map((userId) => ({
    type: 'identify',
    userId,
    messageId: `${prefix}-${userId}`,
  }));
  const events = prefix === 'delivered' ? [...batch, ...users] : batch;
  const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch: events }) });
  if (answer.status !== 200) throw new Error(`${slug}: ${answer.status} ${await answer.text()}`);
}

interface Resource {
  readonly name?: string;
  readonly state?: string;
  readonly overall_status?: string;
  readonly write_keys?: string[];
  readonly [collection: string]: unknown;
}

async function call(method: string, path: string, body?: object): Promise<Resource> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`${url}/v1beta/${path}`, init);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  const found: Resource = JSON.parse(text);
  return found;
}

async function deliveries(slug: string, state: string): Promise<Resource[]> {
  const answer = await call('GET', `${destinationOf(slug)}/deliveries?state=${state}&page_size=100`);
  return itemsOf(answer);
}

function itemsOf(answer: Resource): Resource[] {
  const items: Resource[] | undefined = Object.values(answer).find((value) => Array.isArray(value));
  return items ?? [];
}

async function until(slug: string, state: string, count: number): Promise<void> {
  for (let tries = 0; (await deliveries(slug.slice(1), state)).length < count; tries += 1) {
    if (tries > 300) throw new Error(`${slug} has no ${count} that are ${state}`);
    await sleep(100);
  }
}

async function replay(slug: string, wanted: object, state: string): Promise<void> {
  const { name = '' } = await call('POST', `${destinationOf(slug)}/replays`, wanted);
  while ((await call('GET', name)).state !== state) await sleep(100);
}

async function regulate(type: string, user: string): Promise<void> {
  const { name = '' } = await call('POST', `${MAIN}/regulations`, {
    regulation_type: type,
    attributes: { name: 'userId', values: [user] },
  });
  while ((await call('GET', name)).overall_status !== 'FINISHED') await sleep(100);
}

/** Each list with its items, and all that is below them. */
async function record(...collections: readonly string[]): Promise<void> {
  for (const collection of collections) {
    const path = `${collection}?page_size=100`;
    const list = await call('GET', path);
    answers[path] = list;
    const kind = collection.slice(collection.lastIndexOf('/') + 1);
    for (const { name } of itemsOf(list)) {
      if (name === undefined || kind === 'source-connections') continue;
      answers[name] = await call('GET', name);
      if (kind === 'sources') answers[`${name}/schema-config`] = await call('GET', `${name}/schema-config`);
      await record(...(BELOW[kind] ?? []).map((below) => `${name}/${below}`));
    }
  }
}
