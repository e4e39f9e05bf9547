import { expect, test } from 'vitest';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { type CommandLine, connectedTo, objectsIn } from './support/command-line.ts';
import { SEGMENT_TOKEN, startSegmentService } from './support/segment-service.ts';

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
    write_keys: ['0'.padStart(32, 'k')],
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

test('an import that was interrupted goes on', async () => {
  const { service, api, importing, waybill } = await leaving(3);
  await using _ = service;
  await waybill('sources', 'create', 'source-0', '--write-keys', '0'.padStart(32, 'k'));
  const { stdout } = await importing();
  expect(stdout).not.toContain('+ main/source-0\n');
  expect(stdout).toContain('+ main/source-0/webhooks\n');
  expect((await api.ok('GET', '/workspaces/main/sources'))['sources']).toHaveLength(3);
});

test('what cannot be made is told with what it would have held, and the rest is carried', async () => {
  const { service, api, importing } = await leaving(2);
  await using _ = service;
  await api.ok('POST', '/workspaces/main/sources', {
    source: { name: 'workspaces/main/sources/other', write_keys: ['0'.padStart(32, 'k')] },
  });
  const { status, stderr } = await importing();
  expect(status).toBe(1);
  expect(stderr).toMatch(/! main\/source-0: AlreadyExists: .*write key/);
  expect(stderr).toContain('! main/source-0/webhooks: needs main/source-0/, which was refused');
  expect((await api.call('GET', '/workspaces/main/sources/source-1/destinations/webhooks')).status).toBe(200);
});

test('a workspace of Waybill is imported as well', async () => {
  const from = await startConfigApi();
  await connectedTo(from.url, TOKEN)('sources', 'create', 'web', '--display-name', 'Shop');
  const to = await startConfigApi();
  const waybill = connectedTo(to.url, TOKEN);
  const flags = ['--from', `${from.url}/v1beta`, '--from-token', TOKEN, '--workspace', 'copy'];
  expect(await waybill('import', 'segment', ...flags)).toMatchObject({ status: 0 });
  expect(await to.ok('GET', '/workspaces/copy/sources/web')).toMatchObject({ display_name: 'Shop' });
});

test('a wrong token ends the import with the words of the service', async () => {
  const { service, importing } = await leaving(1);
  await using _ = service;
  const refused = await importing('--from-token', 'wrong');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('Unauthenticated');
  expect(refused.stderr).toContain('the provided access token is not valid');
});

test('a real-shaped workspace of 200 sources is carried', async () => {
  const { service, api, importing } = await leaving(200);
  await using _ = service;
  const { stderr } = await importing('--json');
  expect(stderr).toBe('');
  const found = await connectedTo(api.url, TOKEN)('sources', 'list', '--json');
  expect(objectsIn(found.stdout)).toHaveLength(200);
});
