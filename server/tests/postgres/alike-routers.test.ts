import { expect, test } from 'vitest';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openDatabase } from '../../storage/postgres/connection/database.ts';
import { openPostgresStorage } from '../../storage/postgres/open-postgres-storage.ts';
import { systemClock } from '../../system-clock.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { basic } from '../support/ingestion-server.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const TOKEN = 'token-of-two-routers-0123456789';
const WRITE_KEY = 'key-of-two-routers-0123456789';
const LOCAL = '--allow-networks=127.0.0.0/8';
const SOURCE = 'workspaces/main/sources/js';

interface Router extends AsyncDisposable {
  get(path: string): Promise<Response>;
  post(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response>;
}

/** A whole router on the database at `url`. */
async function startRouter(url: string): Promise<Router> {
  const [log, flags] = [new RecordingLog(), ['--port=0', `--data-dir=${newFolder()}`, `--token=${TOKEN}`, LOCAL]];
  const database = openDatabase(readAddress(url));
  const storage = await openPostgresStorage({ database, clock: systemClock, log });
  const router = await startWaybill(readSettings(flags, {}), log, { storage: () => storage });
  const bearer = { authorization: `Bearer ${TOKEN}` };
  return {
    get: (path) => fetch(router.url + path, { headers: bearer }),
    post: (path, body, headers) =>
      fetch(router.url + path, { method: 'POST', body: JSON.stringify(body), headers: { ...bearer, ...headers } }),
    [Symbol.asyncDispose]: async () => {
      await router.stop();
      await storage.close();
    },
  };
}

async function bodyOf(answer: Promise<Response>): Promise<Record<string, unknown>> {
  return Object((await answer).json());
}

/** What stays the same while nobody starts or ends. */
function named(answer: Record<string, unknown>): unknown[] {
  return Array.from(Object(answer['nodes']), (node) => [Object(node).name, Object(node).version, Object(node).epoch]);
}

/** What is left to the token in this minute. */
async function remaining(router: Router): Promise<number> {
  return Number((await router.get('/v1beta/workspaces')).headers.get('x-ratelimit-remaining'));
}

/** What of an overview stays the same while nothing is sent. */
async function overviewOf(router: Router): Promise<unknown> {
  const { minutes, hours, router_count, open_circuit_count } = await bodyOf(
    router.get('/v1beta/workspaces/main/overview'),
  );
  const accepted = [minutes, hours].map((points) =>
    Array.from(Object(points), (point) => Number(Object(point).accepted)),
  );
  return {
    accepted: accepted.map((counts) => counts.reduce((sum, count) => sum + count, 0)),
    router_count,
    open_circuit_count,
  };
}

/** Events that no other router sends. */
function twelve(router: string): object[] {
  return Array.from({ length: 12 }, (_, index) => ({
    type: 'track',
    event: 'E',
    messageId: `${router}${index}`,
    userId: 'u',
  }));
}

describeWithPostgres('two routers on one database', () => {
  test('whichever is asked answers the same: routers, losses, what is left of the minute', async () => {
    await using place = await postgresPlace();
    await using one = await startRouter(place.url);
    await using other = await startRouter(place.url);
    const source = { name: SOURCE, catalog_name: 'catalog/sources/javascript', write_keys: [WRITE_KEY] };
    expect((await one.post('/v1beta/workspaces/main/sources', { source }, {})).status).toBe(200);

    const told = named(await bodyOf(one.get('/v1beta/nodes')));
    expect(told).toHaveLength(2);
    expect(named(await bodyOf(other.get('/v1beta/nodes')))).toEqual(told);

    const invalid = { batch: [{ type: 'track', event: 'E', messageId: 'm1' }] };
    for (const router of [one, other]) {
      expect((await router.post('/v1/batch', invalid, basic(WRITE_KEY))).status).toBe(200);
    }
    const batch = [{ type: 'track', event: 'E', messageId: 'm2', userId: 'u1' }];
    expect((await one.post('/v1/batch', { batch }, basic(WRITE_KEY))).status).toBe(200);
    const accepted = `/v1beta/${SOURCE}/accepted-events`;
    const seen = { count: 1, accepted_events: [expect.objectContaining({ message_id: 'm2' })] };
    for (const router of [one, other]) expect(await bodyOf(router.get(accepted))).toMatchObject(seen);
    expect(await bodyOf(one.get(accepted))).toEqual(await bodyOf(other.get(accepted)));
    const path = `/v1beta/${SOURCE}/dropped-events`;
    for (const router of [one, other]) {
      await expect
        .poll(async () => (await bodyOf(router.get(path)))['counts'])
        .toEqual([{ reason: 'no_user_anon_id', count: 2 }]);
    }
    expect(await bodyOf(one.get(path))).toEqual(await bodyOf(other.get(path)));
    const before = await remaining(one);
    expect([await remaining(other), await remaining(one)]).toEqual([before - 1, before - 2]);
  });

  test('NODE-1: a circuit that opened, when it is probed next, and what came in are the same from each', async () => {
    await using place = await postgresPlace();
    await using one = await startRouter(place.url);
    await using other = await startRouter(place.url);
    const source = { name: SOURCE, catalog_name: 'catalog/sources/javascript', write_keys: [WRITE_KEY] };
    await one.post('/v1beta/workspaces/main/sources', { source }, {});
    const name = `${SOURCE}/destinations/webhooks`;
    const config = [{ name: `${name}/config/hooks`, type: 'mixed', value: [{ hook: 'http://127.0.0.1:9/' }] }];
    await one.post(`/v1beta/${SOURCE}/destinations`, { destination: { name, enabled: true, config } }, {});
    for (const router of [one, other]) {
      const body = { batch: twelve(router === one ? 'one' : 'other') };
      expect((await router.post('/v1/batch', body, basic(WRITE_KEY))).status).toBe(200);
    }
    const queueOf = async (router: Router): Promise<unknown> => {
      const { circuit, waiting_count } = await bodyOf(router.get(`/v1beta/${name}/queue`));
      return { circuit, waiting_count };
    };
    const open = { state: 'open', failed_probe_count: expect.any(Number), next_probe_time: expect.any(String) };
    await expect.poll(() => queueOf(one)).toEqual({ circuit: open, waiting_count: 24 });
    await expect
      .poll(async () => JSON.stringify(await queueOf(other)) === JSON.stringify(await queueOf(one)))
      .toBe(true);
    for (const router of [one, other])
      await expect
        .poll(() => overviewOf(router))
        .toEqual({ accepted: [24, 24], router_count: 2, open_circuit_count: 1 });
  });

  test('a delivery that one accepted is found by its name on either', async () => {
    await using place = await postgresPlace();
    await using one = await startRouter(place.url);
    await using other = await startRouter(place.url);
    const source = { name: SOURCE, catalog_name: 'catalog/sources/javascript', write_keys: [WRITE_KEY] };
    await one.post('/v1beta/workspaces/main/sources', { source }, {});
    const name = `${SOURCE}/destinations/webhooks`;
    const config = [{ name: `${name}/config/hooks`, type: 'mixed', value: [{ hook: 'https://receiver.example/' }] }];
    await one.post(`/v1beta/${SOURCE}/destinations`, { destination: { name, enabled: true, config } }, {});
    const batch = [{ type: 'track', event: 'E', messageId: 'm1', userId: 'u1' }];
    expect((await one.post('/v1/batch', { batch }, basic(WRITE_KEY))).status).toBe(200);

    const { deliveries } = await bodyOf(other.get(`/v1beta/${name}/deliveries`));
    const [listed] = Array.from(Object(deliveries), (delivery) => String(Object(delivery).name));
    for (const router of [one, other])
      expect(await bodyOf(router.get(`/v1beta/${listed}`))).toMatchObject({ name: listed });
  });

  test('what is the same for all routers stands in the metrics of one of them', async () => {
    await using place = await postgresPlace();
    await using one = await startRouter(place.url);
    await using other = await startRouter(place.url);
    const pages = await Promise.all([one, other].map(async (router) => (await router.get('/metrics')).text()));
    const having = (series: RegExp): number => pages.filter((page) => series.test(page)).length;
    expect(having(/^waybill_deliveries_unfinished\{state="pending"\} 0$/m)).toBe(1);
    expect(having(/^waybill_destinations_parked 0$/m)).toBe(1);
    expect(having(/^waybill_events_accepted_total 0$/m)).toBe(2);
    expect(having(/^waybill_router_info\{name="[^"]+",version="[^"]+"\} 1$/m)).toBe(2);
  });
});
