import { expect, test } from 'vitest';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { basic } from '../support/ingestion-server.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const TOKEN = 'token-of-counting-routers-0123456789';
const SOURCES = ['web', 'app'] as const;
const HOUR = 3_600_000;

type Counts = Readonly<Record<string, number>>;

async function ask(router: RouterProcess, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const given = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(router.url + path, {
    ...given,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
  });
  const answered: unknown = await answer.json();
  expect([path, answer.status, answered]).toEqual([path, 200, answered]);
  return Object(answered);
}

const writeKeyOf = (source: string): string => `${source}-key-0123456789-0123456789`;

async function createSources(router: RouterProcess): Promise<void> {
  for (const source of SOURCES) {
    const name = `workspaces/main/sources/${source}`;
    const made = { name, catalog_name: 'catalog/sources/javascript', write_keys: [writeKeyOf(source)] };
    await ask(router, '/v1beta/workspaces/main/sources', { source: made });
  }
}

/** Through one router: as many events of a type as are counted for each source. */
async function send(router: RouterProcess, counts: Counts): Promise<void> {
  for (const [key, count] of Object.entries(counts)) {
    const [source = '', type = ''] = key.split(' ');
    const batch = Array.from({ length: count }, () => ({ type, event: 'E', name: 'N', userId: 'u' }));
    await ask(router, '/v1/batch', { batch }, basic(writeKeyOf(source)));
  }
}

/** What a router tells of the hours around now, as `waybill compare` asks for it; the hour may end meanwhile. */
async function countsOf(router: RouterProcess): Promise<Counts> {
  const [from, to] = [Date.now() - HOUR, Date.now() + 2 * HOUR].map((time) => new Date(time).toISOString());
  const sums: Record<string, number> = {};
  for (const source of SOURCES) {
    const path = `/v1beta/workspaces/main/sources/${source}/accepted-events:count?from=${from}&to=${to}`;
    for (const { type, count } of (await ask(router, path)).counts) {
      const key = `${source} ${type}`;
      sums[key] = (sums[key] ?? 0) + Number(count);
    }
  }
  return sums;
}

describeWithPostgres('accepted events by source, type and hour, of routers that share a database', () => {
  test('they are added up over routers, told alike by each, and stay when routers stop, are killed, and start again', async () => {
    await using place = await postgresPlace();
    const start = () => startRouterProcess({ port: '0', storage: place.url, token: TOKEN });
    await using one = await start();
    await using two = await start();
    await using three = await start();
    await createSources(one);
    await Promise.all([
      send(one, { 'web track': 3, 'web page': 1 }),
      send(two, { 'web track': 5, 'app track': 2 }),
      send(three, { 'web track': 7, 'app screen': 4 }),
    ]);
    const all = { 'web track': 15, 'web page': 1, 'app track': 2, 'app screen': 4 };
    for (const router of [one, two, three]) await expect.poll(() => countsOf(router)).toEqual(all);

    // What a router was told to count and had not stored is stored when it stops.
    await send(two, { 'web track': 10, 'app screen': 1 });
    expect(await two.stop()).toBe(0);
    await three.kill();
    const more = { ...all, 'web track': 25, 'app screen': 5 };
    expect(await countsOf(one)).toEqual(more);
    await one.stop();

    await using later = await start();
    expect(await countsOf(later)).toEqual(more);
    await send(later, { 'web track': 1 });
    await expect.poll(() => countsOf(later)).toEqual({ ...more, 'web track': 26 });
  });

  test('an event that reaches two routers is counted once', async () => {
    await using place = await postgresPlace();
    const start = () => startRouterProcess({ port: '0', storage: place.url, token: TOKEN });
    await using one = await start();
    await using two = await start();
    await createSources(one);
    const batch = [{ type: 'track', event: 'E', userId: 'u', messageId: 'sent-again' }];
    for (const router of [one, two, one]) await ask(router, '/v1/batch', { batch }, basic(writeKeyOf('web')));
    for (const router of [one, two]) await router.stop();
    await using later = await start();
    expect(await countsOf(later)).toEqual({ 'web track': 1 });
  });
});
