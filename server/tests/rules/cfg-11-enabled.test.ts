import { expect, test } from 'vitest';
import { startConfigApi, withWebhooks } from '../support/config-api.ts';

const HOOKS = [{ name: 'hooks', value: [{ hook: 'https://example.com/a' }] }];

test('CFG-11: enabled switches a destination, and routing follows at once', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api, { config: HOOKS });
  const { target: targetOf } = api.directory;
  expect(targetOf(name)).toBeUndefined();
  const mask = { update_mask: { paths: ['destination.enabled'] } };
  expect(await api.ok('PATCH', `/${name}`, { destination: { enabled: true, ...mask } })).toMatchObject({
    enabled: true,
  });
  expect(targetOf(name)).toEqual({
    webhooks: [{ url: 'https://example.com/a', headers: {} }],
    sharedSecret: '',
    signature: 'x-signature',
    createTime: '2026-11-20T12:00:00.123Z',
  });
  expect(await api.ok('PATCH', `/${name}`, { destination: {}, ...mask })).toMatchObject({ enabled: false });
  expect(targetOf(name)).toBeUndefined();
});

test('CFG-11: the update time moves with a change, and not without', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  api.time.now += 1_000;
  const renamed = { destination: { display_name: 'new' } };
  const untouched = await api.ok('PATCH', `/${name}`, renamed);
  expect(untouched).toMatchObject({ display_name: 'Webhooks', update_time: '2026-11-20T12:00:00.123Z' });
  const changed = await api.ok('PATCH', `/${name}`, { ...renamed, update_mask: { paths: ['display_name'] } });
  expect(changed).toMatchObject({ display_name: 'new', update_time: '2026-11-20T12:00:01.123Z' });
});

test('a destination without enabled is created switched off', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  expect(await api.ok('GET', `/${name}`)).toMatchObject({ enabled: false, connection_mode: 'UNSPECIFIED' });
});

test('D-11: each answer says whether anything is sent to a destination', async () => {
  const api = await startConfigApi();
  const webhooks = await withWebhooks(api);
  const name = webhooks.replace('webhooks', 'amplitude');
  const body = { destination: { name, enabled: true } };
  const parent = '/workspaces/main/sources/js/destinations';
  expect(await api.ok('POST', parent, body)).toMatchObject({ enabled: true, deliverable: false });
  expect(await api.ok('GET', `/${webhooks}`)).toMatchObject({ deliverable: true });
  const sent = {
    destination: { deliverable: true, display_name: 'x' },
    update_mask: { paths: ['destination.display_name'] },
  };
  expect(await api.ok('PATCH', `/${name}`, sent)).toMatchObject({ display_name: 'x', deliverable: false });
  const { body: seen, headers } = await api.call('GET', `/${name}`);
  const ifMatch = { headers: { 'If-Match': String(headers.get('etag')) } };
  expect(seen).toMatchObject({ deliverable: false });
  expect(await api.ok('GET', parent)).toMatchObject({ destinations: [{ deliverable: true }, { deliverable: false }] });
  expect((await api.call('PATCH', `/${name}`, sent, ifMatch)).status).toBe(200);
  const stale = await api.call('DELETE', `/${name}`, undefined, { headers: { 'If-Match': '"other"' } });
  expect(stale.status).toBe(409);
});
