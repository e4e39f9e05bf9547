import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/generate/root.ts';
import { bareEnvironment } from '../../scripts/router/bare-environment.ts';
import { startRouterProcess } from '../../scripts/router/router-process.ts';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { type CommandLine, connectedTo, objectsIn } from './support/command-line.ts';
import { SEGMENT_TOKEN, startSegmentService, writeKeyOf } from './support/segment-service.ts';

/** Somebody who imports from the service into a router of its own. */
async function leaving(sourceCount: number) {
  const service = await startSegmentService(sourceCount);
  const api = await startConfigApi();
  const waybill: CommandLine = connectedTo(api.url, TOKEN, { env: { SEGMENT_TOKEN } });
  const importing = (...more: readonly string[]) => waybill('import', 'segment', '--from', service.url, ...more);
  return { service, api, waybill, importing };
}

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
  const service = opened.use(await startSegmentService(2, `http://127.0.0.1:${portOf(receiver)}`));
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

test('a real-shaped workspace of 200 sources is carried, and one whose import was killed in the middle is the same', async () => {
  const { service, api, importing } = await leaving(200);
  await using _ = service;
  const whole = await importing('--json');
  expect(whole.stderr).toBe('');
  const found = await connectedTo(api.url, TOKEN)('sources', 'list', '--json');
  const keys = new Map(objectsIn(found.stdout).map(({ name, write_keys: own }) => [name, own]));
  const wanted = [...Array(200).keys()];
  expect(keys).toEqual(new Map(wanted.map((one) => [`workspaces/main/sources/source-${one}`, [writeKeyOf(one)]])));

  const cut = await startConfigApi();
  const before = await killedImport(service.url, cut.url, 250);
  const waybill = connectedTo(cut.url, TOKEN, { env: { SEGMENT_TOKEN } });
  const resumed = await waybill('import', 'segment', '--from', service.url, '--json');
  expect(resumed.stderr).toBe('');
  // What a killed import had told is not told again; what it had sent and not told may be missing in both.
  const [first, second] = [before, resumed.stdout].map(stepsIn);
  expect(first).toHaveLength(new Set(first).size);
  expect(second?.filter((step) => first?.includes(step))).toEqual([]);
  expect(stepsIn(whole.stdout).length - (first?.length ?? 0) - (second?.length ?? 0)).toBeLessThanOrEqual(1);
  expect(notesIn(resumed.stdout)).toEqual(notesIn(whole.stdout));
  expect(await exported(cut.url)).toBe(await exported(api.url));
});

/** An import as a process of its own, killed once it has told of so many steps; answers what it told. */
async function killedImport(from: string, to: string, steps: number): Promise<string> {
  const env = bareEnvironment({ SEGMENT_TOKEN, WAYBILL_URL: to, WAYBILL_TOKEN: TOKEN });
  const command = ['cli/waybill.ts', 'import', 'segment', '--from', from, '--json'];
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (told.split('\n').length > steps) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  return told.slice(0, told.lastIndexOf('\n') + 1);
}

function stepsIn(output: string): string[] {
  const steps = objectsIn(output).filter(({ action }) => action !== 'note');
  return steps.map(({ action, kind, name }) => `${String(action)} ${String(kind)} ${String(name)}`);
}

/** Without what is another time otherwise: the router's port, and which requests the service refused at first. */
function notesIn(output: string): string[] {
  const notes = objectsIn(output).filter(({ action }) => action === 'note');
  const told = notes.map(({ name, text }) => `${String(name)} ${String(text).replace(/ \(\d+ attempts\)$/, '')}`);
  return told.map((note) => note.replace(/127\.0\.0\.1:\d+/, 'here')).toSorted();
}

async function exported(url: string, workspace = 'main'): Promise<string> {
  const { status, stdout } = await connectedTo(url, TOKEN)('export', '--workspace', workspace);
  expect(status).toBe(0);
  // Its first line says where the schema is.
  return stdout.slice(stdout.indexOf('\n'));
}

async function writeKeysIn(url: string, workspace: string): Promise<unknown[]> {
  const { stdout } = await connectedTo(url, TOKEN)('sources', 'list', '--workspace', workspace, '--json');
  return objectsIn(stdout).map(({ write_keys: keys }) => keys);
}
