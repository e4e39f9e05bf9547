import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startRouterProcess } from '../../scripts/router/router-process.ts';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';
import { exported, leaving, stepsIn } from './support/leaving.ts';
import { SEGMENT_TOKEN, startSegmentService } from './support/segment-service.ts';
import { writeKeyOf } from './support/segment-workspace.ts';

test('a workspace comes with its keys, settings, destinations, filters and plans', async () => {
  const { service, api, importing } = await leaving(2);
  await using _ = service;
  const { status, stdout, stderr } = await importing();
  expect(stderr).toContain('! main/source-0/google-analytics: is kept with its settings, and not deliverable');
  expect(stderr).toMatch(/! main\/tracking plan "Look-around": InvalidArgument: .*pattern/);
  expect(stderr).toMatch(
    /! workspaces\/acme\/sources\/source-1: the service did not tell its schema settings: Internal/,
  );
  expect({ status, lines: stdout.split('\n').length }).toEqual({ status: 1, lines: 13 });

  expect(await api.ok('GET', '/workspaces/main/sources/source-0')).toMatchObject({
    write_keys: [writeKeyOf(0)],
    catalog_name: 'catalog/sources/javascript',
    library_config: { retry_queue: true },
    labels: { team: 'web' },
  });
  const home = '/workspaces/main/sources/source-0';
  expect(await api.ok('GET', `${home}/schema-config`)).toMatchObject({
    allow_unplanned_track_events: false,
    forwarding_blocked_events_to: 'source-1',
  });
  const destination = await api.ok('GET', `${home}/destinations/webhooks`);
  expect(destination).toMatchObject({ enabled: true, deliverable: true });
  expect(JSON.stringify(destination)).toContain('"secret-0"');
  expect(await api.ok('GET', `${home}/destinations/google-analytics`)).toMatchObject({ deliverable: false });
  const { filters } = await api.ok('GET', `${home}/destinations/webhooks/filters`);
  expect(filters).toMatchObject([{ if: 'event = "Test"', enabled: true }]);
  const { tracking_plans: plans } = await api.ok('GET', '/workspaces/main/tracking-plans');
  expect(plans).toMatchObject([{ display_name: 'Shop' }]);
  const [plan] = /workspaces\/main\/tracking-plans\/\w+/.exec(JSON.stringify(plans)) ?? [];
  const { connections } = await api.ok('GET', `/${plan}/source-connections`);
  expect(connections).toMatchObject([{ source_name: 'workspaces/main/sources/source-0' }]);
});

test('an event sent with an imported write key is delivered at once, with the headers and the secret that were imported', async () => {
  const arrived: {
    readonly url: string;
    readonly team: unknown;
    readonly isSigned: boolean;
    readonly event: unknown;
  }[] = [];
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const signature = createHmac('sha1', 'secret-1').update(body).digest('hex');
      const { 'x-team': team, 'x-signature': given } = request.headers;
      const { event }: { event?: unknown } = JSON.parse(body.toString('utf8'));
      arrived.push({ url: request.url ?? '', team, isSigned: given === signature, event });
      response.end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  await using opened = new AsyncDisposableStack();
  opened.defer(() => receiver.close().closeAllConnections());
  const service = opened.use(await startSegmentService(2, { hookUrl: `http://127.0.0.1:${portOf(receiver)}` }));
  const folder = mkdtempSync(join(tmpdir(), 'waybill-import-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const token = 'command-line-import-0123456789';
  const flags = { port: '0', 'data-dir': folder, token, 'allow-networks': '127.0.0.0/8' };
  const router = opened.use(await startRouterProcess(flags));
  const waybill = connectedTo(router.url, token, { env: { SEGMENT_TOKEN } });
  await waybill('import', 'segment', '--from', service.url);

  const answer = await fetch(`${router.url}/v1/track`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${writeKeyOf(1)}:`).toString('base64')}` },
    body: JSON.stringify({ userId: 'u1', event: 'Order Completed' }),
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => arrived).toEqual([{ url: '/1', team: 'web', isSigned: true, event: 'Order Completed' }]);
});

test('a dry run changes nothing, an import does, and a second one finds nothing left but what was refused', async () => {
  const { service, api, importing } = await leaving(3);
  await using _ = service;
  const dry = await importing('--dry-run', '--json');
  expect(dry.status).toBe(0);
  expect((await api.ok('GET', '/workspaces/main/sources'))['sources']).toEqual([]);
  const first = await importing('--json');
  const taken = objectsIn(first.stdout).filter(({ action }) => action !== 'note');
  // All but the plan that this router refuses.
  expect(objectsIn(dry.stdout).filter(({ action }) => action !== 'note')).toHaveLength(taken.length + 1);
  expect(objectsIn((await importing('--json')).stdout).filter(({ action }) => action !== 'note')).toEqual([]);
  expect(service.asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
});

test('a write key that a source got here, as for a second instance of an SDK, outlives the next import', async () => {
  const { service, api, waybill, importing } = await leaving(2);
  await using _ = service;
  await importing();
  const own = 'second'.padEnd(32, '0');
  await waybill('sources', 'update', 'source-0', '--write-keys', `${own},${writeKeyOf(0)}`);
  expect(stepsIn((await importing('--json')).stdout)).toEqual([]);
  const { write_keys: keys } = await api.ok('GET', '/workspaces/main/sources/source-0');
  expect(keys).toEqual([own, writeKeyOf(0)]);
});

test('a tracking plan that was changed there by PUT, as its clients do, is changed here by the next import', async () => {
  const { service, api, importing } = await leaving(2);
  await using _ = service;
  await importing();
  const path = `${service.url}/v1beta/workspaces/acme/tracking-plans/rs_${'1'.padStart(27, '0')}`;
  const events = [{ name: 'Order Refunded', version: 1, rules: { type: 'object' } }];
  const update = {
    update_mask: { paths: ['tracking_plan.rules'] },
    tracking_plan: { display_name: 'not in the mask', rules: { events } },
  };
  const headers = { Authorization: `Bearer ${SEGMENT_TOKEN}` };
  const send = (method: string) => fetch(path, { method, headers, body: JSON.stringify(update) });
  expect((await send('PATCH')).status).toBe(404);
  const changed = await send('PUT');
  expect([changed.status, await changed.json()]).toMatchObject([200, { display_name: 'Shop', rules: { events } }]);

  const { stdout } = await importing('--json');
  expect(stepsIn(stdout)).toEqual(['update tracking_plan main/tracking plan "Shop"']);
  const { tracking_plans: plans } = await api.ok('GET', '/workspaces/main/tracking-plans');
  expect(plans).toMatchObject([{ display_name: 'Shop', rules: { events } }]);
});

test('many notes of one cause are one line, and each is in the JSON', async () => {
  const { service, importing } = await leaving(40);
  await using _ = service;
  const { stderr } = await importing('--dry-run');
  const json = await importing('--dry-run', '--json');
  const notes = objectsIn(json.stdout).filter(({ action }) => action === 'note');
  expect(notes.length).toBeGreaterThan(70);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeLessThan(12);
  const untold = notes.filter(({ text }) => /did not tell its schema settings/.test(String(text)));
  const names = untold.slice(0, 3).map(({ name }) => String(name));
  const more = `${names.join(', ')} and ${untold.length - 3} more (each with --json)`;
  expect(lines).toContain(`! ${more}: the service did not tell its schema settings (Internal)`);
  expect(lines.at(-1)).toContain(`${notes.length} to look at`);
});

test('an import that was interrupted goes on', async () => {
  const { service, api, importing, waybill } = await leaving(3);
  await using _ = service;
  await waybill('sources', 'create', 'source-0', '--write-keys', writeKeyOf(0));
  const { stdout } = await importing();
  expect(stdout).not.toContain('+ main/source-0\n');
  expect(stdout).toContain('+ main/source-0/webhooks\n');
  expect((await api.ok('GET', '/workspaces/main/sources'))['sources']).toHaveLength(3);
});

test('what cannot be made is told with what it would have held, and the rest is carried', async () => {
  const { service, api, importing } = await leaving(2);
  await using _ = service;
  await api.ok('POST', '/workspaces/main/sources', {
    source: { name: 'workspaces/main/sources/other', write_keys: [writeKeyOf(0)] },
  });
  const { status, stderr } = await importing();
  expect(status).toBe(1);
  expect(stderr).toMatch(/! main\/source-0: AlreadyExists: .*write key/);
  expect(stderr).toContain('! main/source-0/webhooks: needs main/source-0/, which was refused');
  expect((await api.call('GET', '/workspaces/main/sources/source-1/destinations/webhooks')).status).toBe(200);
});

test('a workspace of Waybill is imported with all that an import carries', async () => {
  const from = await startConfigApi();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'waybill.yaml');
  writeFileSync(file, FULL);
  expect(await connectedTo(from.url, TOKEN)('apply', '-f', file, '--yes')).toMatchObject({ status: 0 });
  const to = await startConfigApi();
  const flags = ['--from', `${from.url}/v1beta`, '--from-token', TOKEN, '--workspace', 'copy'];
  const imported = await connectedTo(to.url, TOKEN)('import', 'segment', ...flags);
  expect(imported).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^! copy\/web\/google-analytics: .*\n.* 1 to look at\n$/),
  });

  const [theirs, ours] = [await exported(from.url), await exported(to.url, 'copy')];
  expect(ours).toBe(theirs.replaceAll(/\bmain\b/g, 'copy').replaceAll('${env:MAIN_', '${env:COPY_'));
  // It is not empty on both sides.
  for (const text of ['Shop', 'cross_domain', 'managed-by', 'common', 'Order', 'google', '"Test"', 'app', 'x-team'])
    expect(theirs.toLowerCase()).toContain(text.toLowerCase());
  expect(await writeKeysIn(to.url, 'copy')).toEqual(await writeKeysIn(from.url, 'main'));
  // What an export refers to, and does not show.
  const [there, here] = await Promise.all([
    from.ok('GET', '/workspaces/main/sources/web/destinations/webhooks'),
    to.ok('GET', '/workspaces/copy/sources/web/destinations/webhooks'),
  ]);
  expect(JSON.stringify(here['config'])).toBe(
    JSON.stringify(there['config']).replaceAll('workspaces/main/', 'workspaces/copy/'),
  );
  expect(JSON.stringify(here['config'])).toMatch(/hooks\.example\.com\/a.*|a-shared-secret/);
});

const FULL = `
version: 1
workspaces:
  main:
    sources:
      web:
        display_name: Shop
        catalog_name: catalog/sources/javascript
        write_keys: [${'w'.repeat(32)}, ${'v'.repeat(32)}]
        labels: { managed-by: ci }
        library_config: { cross_domain_id_enabled: true }
        schema_config: { allow_unplanned_track_events: false, forwarding_violations_to: app }
        destinations:
          webhooks:
            enabled: true
            display_name: Orders
            config:
              - name: hooks
                value: [{ hook: "https://hooks.example.com/a", headers: [{ key: X-Team, value: web }] }]
              - { name: sharedSecret, value: a-shared-secret }
            filters:
              - { title: No tests, if: 'event = "Test"', actions: [{ type: drop_event }], enabled: true }
          google-analytics:
            config: [{ name: trackingId, value: UA-1 }]
      app:
        write_keys: [${'a'.repeat(32)}]
    tracking_plans:
      - display_name: Common
        sources: [web, app]
        rules:
          events:
            - name: Order Completed
              rules: { properties: { properties: { required: [total] } } }
`;

test('a wrong token ends the import with the words of the service', async () => {
  const { service, importing } = await leaving(1);
  await using _ = service;
  const refused = await importing('--from-token', 'wrong');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('Unauthenticated');
  expect(refused.stderr).toContain('the provided access token is not valid');
});

test.each([
  [['--from-workspace', 'workspaces/acme'], '--from-workspace must be a slug such as main, got "workspaces/acme"'],
  [['--from-token', 'a b'], 'the token of the workspace to import has spaces'],
])('%j is refused with exit code 2', async (flags, words) => {
  const { service, importing } = await leaving(1);
  await using _ = service;
  expect(await importing(...flags)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(words) });
});

async function writeKeysIn(url: string, workspace: string): Promise<unknown[]> {
  const { stdout } = await connectedTo(url, TOKEN)('sources', 'list', '--workspace', workspace, '--json');
  return objectsIn(stdout).map(({ write_keys: keys }) => keys);
}
