import { request as send } from 'undici';
import { expect, test } from 'vitest';
import { percentile } from '../../resources/metric-series.ts';
import { successTimeClass, successTimeMs } from '../../model/logged-delivery.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { TOKEN } from '../support/config-api.ts';
import { hooks, startDeliveryWorld } from '../support/delivery-world.ts';

const HOUR = 3_600_000;
const NOON = '2026-11-20T12:00:00.000Z';

test('successes, retries by status and times to success are counted by hour', async () => {
  const plan = [502, 200, 200, 400];
  const world = await startDeliveryWorld(() => answers(plan.shift() ?? 200));
  await world.send({ messageId: 'm1' });
  await world.until('pending');
  await world.advance(10_000);
  await world.until('delivered');
  await world.send({ messageId: 'm2' });
  await world.until('delivered');
  await world.advance(HOUR);
  await world.send({ messageId: 'm3' });
  await world.until('failed');
  const summary = await world.get('/metrics:getSummary');
  expect(summary).toMatchObject({
    successes: 2,
    failures: 1,
    expirations: 0,
    retries: 1,
    retries_by_status: { 502: 1 },
  });
  expect(summary['time_to_success'].p50).toBe(0);
  expect(summary['time_to_success'].p99).toBeGreaterThanOrEqual(10_000);
  expect(summary['time_to_success'].p99).toBeLessThan(10_450);
  expect(await world.get('/metrics/successes')).toMatchObject({ unit: 'count', points: [{ time: NOON, value: 2 }] });
  expect(await world.get('/metrics/retried_502')).toMatchObject({ points: [{ time: NOON, value: 1 }] });
  expect(await world.get('/metrics/retried_503')).toMatchObject({ points: [] });
  expect(await world.get('/metrics/failures')).toMatchObject({
    points: [{ time: '2026-11-20T13:00:00.000Z', value: 1 }],
  });
  const { metrics } = await world.get('/metrics');
  expect(metrics.map(({ name }: { name: string }) => name.split('/').at(-1))).toContain('retried_502');
});

test('a success counts once, although a sibling succeeds after it', async () => {
  const world = await startDeliveryWorld(
    ({ request }) => ({ ...answers(200), afterMs: request.url.includes('a.test') ? 10 : 50 }),
    hooks('https://a.test/', 'https://b.test/'),
  );
  await world.send({});
  await world.advance(50);
  await expect.poll(async () => (await world.until('delivered'))['rounds'][0].attempts.length).toBe(2);
  expect(await world.get('/metrics:getSummary')).toMatchObject({ successes: 1 });
});

test('a timeout that is tried again counts under its outcome', async () => {
  const world = await startDeliveryWorld(() => ({ afterMs: 60_000, ...answers(200) }));
  await world.send({});
  await world.advance(5_000);
  await world.until('pending');
  expect(await world.get('/metrics/retried_first_byte_timeout')).toMatchObject({ points: [{ value: 1 }] });
});

test('a metric that is none is a 404, and a range that is none a 400', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  const ask = (path: string) => world.api.call('GET', `/${world.destination}/metrics${path}`);
  for (const name of ['/success', '/retried_lost', '/Successes'])
    expect(await ask(name)).toMatchObject({ status: 404 });
  const day = 24 * HOUR;
  const at = (ms: number): string => new Date(world.clock.now() + ms).toISOString();
  for (const range of [`?from=${at(0)}`, `?from=${at(-32 * day)}`, '?to=now', `?from=${at(-1)}&to=${at(-2)}`]) {
    expect(await ask(range)).toMatchObject({ status: 400, body: { code: 3 } });
  }
  expect(await ask('?from=2026-01-02T03:04:05Z&to=2026-01-01T00:00:00.5Z')).toMatchObject({
    body: { error: 'from must be before to, got 2026-01-02T03:04:05Z and 2026-01-01T00:00:00.5Z' },
  });
  expect(await ask(`?from=${at(-31 * day)}`)).toMatchObject({ status: 200 });
});

test('several metrics and summaries are answered at once, by the body of a GET or by its query', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  await world.send({});
  await world.until('delivered');
  const { destination, api } = world;
  const wanted = ['successes', 'retried_502', 'time_to_success_p95'].map((one) => `${destination}/metrics/${one}`);
  const batch = `/${destination}/metrics:batchGet`;
  const summaries = '/workspaces/main/event-delivery-metrics:batchGetSummary';
  // Existing clients send the names as a body, which fetch refuses to do with a GET.
  const withBody = async (path: string, names: readonly string[]): Promise<unknown> => {
    const body = JSON.stringify({ names });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await send(`${api.url}/v1beta${path}`, { method: 'GET', headers, body });
    return answer.body.json();
  };
  const { metrics } = await api.ok('GET', `${batch}?names=${wanted.join(',')}`);
  expect(metrics).toMatchObject(wanted.map((name) => ({ name, parent: destination })));
  expect(metrics).toMatchObject([{ points: [{ value: 1 }] }, { points: [] }, { unit: 'milliseconds' }]);
  expect(await withBody(batch, wanted)).toEqual({ metrics });

  const summary = await world.get('/metrics:getSummary');
  const both = [destination, String(summary['name'])];
  expect(await api.ok('GET', `${summaries}?names=${both.join(',')}`)).toEqual({ summaries: [summary, summary] });
  expect(await withBody(summaries, both)).toEqual({ summaries: [summary, summary] });
});

function refusal(status: number, text: string): object {
  return { status, body: { error: expect.stringContaining(text) } };
}

test('a batch names what of its names cannot be answered', async () => {
  const { api, destination } = await startDeliveryWorld(() => answers(200));
  const batch = (names: string) => api.call('GET', `/${destination}/metrics:batchGet${names}`);
  const sum = (names: string) => api.call('GET', `/workspaces/main/event-delivery-metrics:batchGetSummary${names}`);
  const many = Array(101).fill(`${destination}/metrics/successes`).join(',');
  expect(await batch('')).toMatchObject({ status: 200, body: { metrics: [] } });
  expect(await batch(`?names=${many}`)).toMatchObject(refusal(400, 'got 101'));
  expect(await batch('?names=successes')).toMatchObject(
    refusal(400, `${destination}/metrics/<metric>, got "successes"`),
  );
  const other = `${destination}2/metrics/successes`;
  expect(await batch(`?names=${other}`)).toMatchObject(refusal(400, other));
  expect(await batch(`?names=${destination}/metrics/lost`)).toMatchObject(refusal(404, '/metrics/lost'));
  expect(await sum('')).toMatchObject({ status: 200, body: { summaries: [] } });
  const elsewhere = destination.replace('main', 'other');
  expect(await sum(`?names=${elsewhere}`)).toMatchObject(refusal(400, elsewhere));
  expect(await sum(`?names=${destination},${destination}2`)).toMatchObject(refusal(404, `${destination}2`));
});

test('a percentile is at most 4.5 % too high, and never too low', () => {
  for (const ms of [0, 1, 7, 100, 4_999, 14_395_000]) {
    const shown = successTimeMs(successTimeClass(ms));
    expect(shown).toBeGreaterThanOrEqual(ms);
    expect(shown).toBeLessThanOrEqual(ms * 1.045 + 1);
  }
  const counts = [1, 2, 3, 4].map((time) => ({ hour: 0, what: `time:${successTimeClass(time * 100)}`, count: 25 }));
  expect([0.5, 0.75, 0.76].map((share) => percentile(counts, share))).toEqual([205, 305, 404].map(near));
  expect(percentile([], 0.5)).toBeUndefined();
});

function near(value: number): unknown {
  return expect.closeTo(value, -1.2);
}
