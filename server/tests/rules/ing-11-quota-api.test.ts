import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../scripts/router/connect.ts';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { startConfigApi } from '../support/config-api.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { endOf } from '../../quotas/usage.ts';

const TOKEN = 'quota-token-0123456789012345';
const PATH = '/workspaces/main/quota';

const NO_LIMIT = {
  name: 'workspaces/main/quota',
  parent: 'workspaces/main',
  events_per_second: 0,
  events_per_day: 0,
  events_today: 0,
  refused_requests_today: 0,
  reset_time: new Date(endOf(0)).toISOString(),
};

async function bound(api: Awaited<ReturnType<typeof startConfigApi>>, workspace: string): Promise<string> {
  const access_token = { description: 'a tenant', scopes: 'workspace', workspace_names: [workspace] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  return String(token);
}

test('ING-11: a workspace has no limit until one is set, and shows nothing of it itself', async () => {
  const api = await startConfigApi();
  expect(await api.ok('GET', PATH)).toEqual(NO_LIMIT);
  const before = await api.ok('GET', '/workspaces/main');
  const quota = { events_per_second: 5, events_per_day: 7 };
  const change = { quota, update_mask: { paths: ['quota.events_per_second'] } };
  expect(await api.ok('PATCH', PATH, change)).toEqual({ ...NO_LIMIT, events_per_second: 5 });
  expect(api.directory.quota('workspaces/main')).toEqual({ events_per_second: 5, events_per_day: 0 });
  expect(await api.ok('GET', '/workspaces/main')).toEqual(before);
  expect(await api.ok('PATCH', PATH, { update_mask: { paths: ['events_per_second'] } })).toEqual(NO_LIMIT);
  expect(api.directory.quota('workspaces/main')).toBeUndefined();
});

test('ING-11: a tenant sees its quota, and cannot lift it', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  const token = await bound(api, 'workspaces/main');
  const change = { quota: { events_per_day: 9 }, update_mask: { paths: ['events_per_day'] } };
  expect(await api.ok('GET', PATH, undefined, { token })).toEqual(NO_LIMIT);
  expect(await api.call('PATCH', PATH, change, { token })).toMatchObject({ status: 403 });
  expect(await api.call('PATCH', '/workspaces/other/quota', change, { token })).toMatchObject({ status: 404 });
  expect(await api.call('GET', '/workspaces/other/quota', undefined, { token })).toMatchObject({ status: 404 });
  expect(await api.ok('GET', PATH)).toEqual(NO_LIMIT);
});

test('ING-11: what is used changes no tag', async () => {
  let events = 0;
  const used = () => Promise.resolve({ events, refused: 0, endsAt: endOf(0) });
  const api = await startConfigApi(undefined, { quotas: { used } });
  const { headers } = await api.call('GET', PATH);
  events = 3;
  const update_mask = { paths: ['events_per_day'] };
  const options = { headers: { 'if-match': headers.get('etag') ?? '' } };
  const quota = { events_per_day: 9 };
  expect(await api.ok('PATCH', PATH, { quota, update_mask }, options)).toMatchObject({
    events_per_day: 9,
    events_today: 3,
  });
  expect(await api.call('PATCH', PATH, { update_mask }, options)).toMatchObject({ status: 409 });
});

interface Router {
  readonly url: string;
  readonly api: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
  readonly stop: () => Promise<void>;
}

async function startRouter(folder: string): Promise<Router> {
  const settings = readSettings(['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`], {});
  const waybill = await startWaybill(settings, new RecordingLog());
  const { url } = waybill;
  const stop = (): Promise<void> => waybill.stop();
  onTestFinished(stop);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const api: Router['api'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer: Record<string, unknown> = JSON.parse(
      await (await fetch(`${url}/v1beta${path}`, { method, headers, ...sent })).text(),
    );
    return answer;
  };
  return { url, api, stop };
}

function post(url: string, key: string, events: number, place: 'header' | 'body' = 'header'): Promise<Response> {
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
  const batch = Array.from({ length: events }, () => ({ type: 'track', userId: 'u1', event: 'Sent' }));
  const inBody = place === 'body';
  const body = JSON.stringify({ batch, ...(inBody ? { writeKey: key } : {}) });
  return fetch(`${url}/v1/batch`, { method: 'POST', body, ...(inBody ? {} : { headers }) });
}

test('ING-11: a router refuses requests beyond the quota of a day, over a restart too', async () => {
  const folder = newFolder();
  const router = await startRouter(folder);
  const key = await connect({ url: router.url, token: TOKEN, slug: 'app', hook: 'https://example.com' });
  const quota = { events_per_day: 10 };
  await router.api('PATCH', PATH, { quota, update_mask: { paths: ['events_per_day'] } });
  expect((await post(router.url, key, 6)).status).toBe(200);
  const refused = await post(router.url, key, 5, 'body');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 8 });
  expect(await router.api('GET', PATH)).toMatchObject({ events_today: 6, refused_requests_today: 1 });
  const accepted = await router.api('GET', '/workspaces/main/sources/app/accepted-events');
  expect(accepted['count']).toBe(6);
  const metrics = await (await fetch(`${router.url}/metrics`)).text();
  expect(metrics).toContain('waybill_quota_refused_requests_total{limit="day"} 1');
  await router.stop();
  const next = await startRouter(folder);
  expect((await post(next.url, key, 5)).status).toBe(429);
  expect((await post(next.url, key, 4)).status).toBe(200);
  expect((await post(next.url, key, 1)).status).toBe(429);
  expect(await next.api('GET', PATH)).toMatchObject({ events_today: 10, refused_requests_today: 3 });
});
