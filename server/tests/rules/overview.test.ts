import { expect, onTestFinished, test } from 'vitest';
import { startWaybill } from '../../app.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { readSettings } from '../../settings/settings.ts';
import { type ConfigApiServer, NOW, startConfigApi } from '../support/config-api.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { basic } from '../support/ingestion-server.ts';
import { openMemory } from '../support/memory-storage.ts';
import { stillClock } from '../support/still-clock.ts';

const TOKEN = 'token-of-the-overview-0123456789';
const WRITE_KEY = 'key-of-the-overview-0123456789';
const SOURCE = 'workspaces/main/sources/js';
const IDLE = 'workspaces/main/sources/idle';
const BROKEN = `${SOURCE}/destinations/webhooks`;

type Json = Record<string, unknown>;

/** A router with a destination that refuses connections, whose circuit opens with the first failure, and one that is disabled. */
async function startRouter() {
  const flags = ['--port=0', `--data-dir=${newFolder()}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const router = await startWaybill(readSettings(flags, {}), new RecordingLog(), { policy: { parkAfter: 1 } });
  onTestFinished(() => router.stop());
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${router.url}/v1beta/${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return Object(await answer.json());
  };
  for (const [source, write_keys, enabled, value] of [
    [IDLE, [], false, []],
    [SOURCE, [WRITE_KEY], true, [{ hook: 'http://127.0.0.1:9/' }]],
  ] as const) {
    await ask('POST', 'workspaces/main/sources', {
      source: { name: source, catalog_name: 'catalog/sources/javascript', write_keys },
    });
    const name = `${source}/destinations/webhooks`;
    const config = [{ name: `${name}/config/hooks`, type: 'mixed', value }];
    await ask('POST', `${source}/destinations`, { destination: { name, enabled, config } });
  }
  const send = async (messageId: string): Promise<void> => {
    const body = JSON.stringify({ event: 'E', userId: 'u', messageId });
    const answer = await fetch(`${router.url}/v1/track`, { method: 'POST', headers: basic(WRITE_KEY), body });
    expect(answer.status).toBe(200);
  };
  return { ask, send };
}

test('D-25: a queue tells that its circuit is open, how often probes failed, and when the next is due', async () => {
  const { ask, send } = await startRouter();
  expect(await ask('GET', `${BROKEN}/queue`)).toEqual({
    name: `${BROKEN}/queue`,
    circuit: { state: 'closed', failed_probe_count: 0 },
    waiting_count: 0,
  });
  await send('m1');
  const queue = (): Promise<Json> => ask('GET', `${BROKEN}/queue`);
  await expect.poll(queue).toMatchObject({ circuit: { state: 'open', failed_probe_count: 1 }, waiting_count: 1 });
  const { circuit, oldest_waiting_time: oldest, next_due_time: due } = await queue();
  const now = Date.now();
  expect(Date.parse(String(Object(circuit).next_probe_time))).toBeGreaterThan(now - 1_000);
  expect(Date.parse(String(oldest))).toBeLessThanOrEqual(now);
  expect(Date.parse(String(due))).toBeGreaterThan(Date.parse(String(oldest)));
});

test('an overview tells what came in, what waits, and first of the destination that needs attention', async () => {
  const { ask, send } = await startRouter();
  for (const id of ['m1', 'm2', 'm3']) await send(id);
  const overview = (): Promise<Json> => ask('GET', 'workspaces/main/overview');
  await expect.poll(overview).toMatchObject({ open_circuit_count: 1, waiting_count: 3 });
  const found = await overview();
  expect(found).toMatchObject({ source_count: 2, destination_count: 2, router_count: 1 });
  const destinations = Array.from(Object(found['destinations']), (one) => Object(one));
  expect(destinations.map(({ name }) => name)).toEqual([BROKEN, `${IDLE}/destinations/webhooks`]);
  expect(destinations[0]).toMatchObject({ circuit: { state: 'open' }, waiting_count: 3, enabled: true });
  for (const points of [found['minutes'], found['hours']]) {
    const accepted = Array.from(Object(points), (point) => Number(Object(point).accepted));
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(3);
  }
});

test('however many destinations there are, an overview takes a handful of readings of the storage', async () => {
  const memory = openMemory();
  const asked: string[] = [];
  const log = noting(memory, asked);
  const waiting = { waiting: new Map(), circuits: new Map(), circuitCount: 0 };
  const deliveries = { log, storage: memory, wake: () => {}, queues: () => Promise.resolve(waiting) };
  const api = await startConfigApi((store) => noting(store, asked), { deliveries });
  for (const source of ['s0', 's1']) await createDestinations(api, `workspaces/main/sources/${source}`, 500);
  const hour = NOW - (NOW % 3_600_000);
  const names = [0, 1, 499].map((index) => `workspaces/main/sources/s1/destinations/d${index}`);
  await memory.addCounts(
    names.flatMap((of, index) => [
      { of, hour, what: 'delivered', count: 10 },
      { of, hour: hour - 23 * 3_600_000, what: 'expired', count: index },
      { of, hour: hour - 24 * 3_600_000, what: 'failed', count: 99 },
      { of, hour: hour + 3_600_000, what: 'failed', count: 99 },
    ]),
  );
  asked.length = 0;
  const found = await api.ok('GET', '/workspaces/main/overview');
  expect(asked.length).toBeLessThanOrEqual(9);
  expect(found).toMatchObject({ source_count: 2, destination_count: 1_000 });
  expect(found['hours']).toEqual([
    { time: new Date(hour - 23 * 3_600_000).toISOString(), accepted: 0, delivered: 0, failed: 3 },
    { time: new Date(hour).toISOString(), accepted: 0, delivered: 30, failed: 0 },
  ]);
  const shown = Array.from(Object(found['destinations']), (one) => Object(one));
  expect(shown).toHaveLength(100);
  expect(shown.slice(0, 3).map(({ name, expirations, successes }) => [name, expirations, successes])).toEqual([
    [names[2], 2, 10],
    [names[1], 1, 10],
    [names[0], 0, 10],
  ]);
});

test('an overview adds up what all destinations of a workspace delivered, those too that are too many to be counted, or gone', async () => {
  const memory = openMemory();
  const waiting = { waiting: new Map(), circuits: new Map(), circuitCount: 1_234 };
  const deliveries = { log: memory, storage: memory, wake: () => {}, queues: () => Promise.resolve(waiting) };
  const api = await startConfigApi((store) => store, { deliveries });
  await createDestinations(api, 'workspaces/main/sources/s0', 1);
  const hour = NOW - (NOW % 3_600_000);
  const [main, own] = ['workspaces/main', 'workspaces/main/sources/s0/destinations/d0'];
  await memory.addCounts([
    { of: main, hour, what: 'delivered', count: 500 },
    { of: main, hour, what: 'expired', count: 7 },
    { of: own, hour, what: 'delivered', count: 20 },
    // Before an upgrade, or in the last second of a router that was killed.
    { of: own, hour: hour - 3_600_000, what: 'failed', count: 3 },
    { of: 'workspaces/other', hour, what: 'failed', count: 99 },
  ]);
  const found = await api.ok('GET', '/workspaces/main/overview');
  expect(found['open_circuit_count']).toBe(1_234);
  expect(found['hours']).toEqual([
    { time: new Date(hour - 3_600_000).toISOString(), accepted: 0, delivered: 0, failed: 3 },
    { time: new Date(hour).toISOString(), accepted: 0, delivered: 500, failed: 7 },
  ]);
});

/** The same, with the name of each method noted when it is called. */
function noting<Of extends object>(of: Of, asked: string[]): Of {
  return new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        asked.push(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
}

async function createDestinations(api: ConfigApiServer, source: string, count: number): Promise<void> {
  await api.ok('POST', '/workspaces/main/sources', { source: { name: source } });
  for (let index = 0; index < count; index += 1) {
    const name = `${source}/destinations/d${index}`;
    await api.ok('POST', `/${source}/destinations`, {
      destination: { name, catalog_name: 'catalog/destinations/webhooks' },
    });
  }
}

test('traffic is kept by the minute for an hour and by the hour for a day, in bounded room', () => {
  const time = { now: Date.parse('2026-11-20T12:00:30Z') };
  const traffic = createTraffic(stillClock(() => time.now));
  for (let minute = 0; minute < 30 * 60; minute += 1) {
    traffic.add('workspaces/main', 'accepted', 2);
    if (minute % 2 === 0) traffic.add('workspaces/main', 'failed', 1);
    time.now += 60_000;
  }
  time.now -= 60_000;
  const [minutes, hours] = [traffic.of('workspaces/main', 'minute'), traffic.of('workspaces/main', 'hour')];
  expect(minutes).toHaveLength(60);
  expect(minutes.at(-2)).toEqual({ at: Date.parse('2026-11-21T17:58:00Z'), accepted: 2, delivered: 0, failed: 1 });
  expect(hours).toHaveLength(24);
  expect(hours[0]).toEqual({ at: Date.parse('2026-11-20T18:00:00Z'), accepted: 120, delivered: 0, failed: 0 });
  expect(traffic.all().length).toBeLessThanOrEqual(2 * (60 + 24));
  expect(traffic.of('workspaces/other', 'hour')).toEqual([]);
  time.now += 86_400_000;
  expect(traffic.of('workspaces/main', 'hour')).toEqual([]);
});
