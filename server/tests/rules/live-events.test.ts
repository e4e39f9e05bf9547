import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { type ConfigClient, createConfigClient, type LiveEvents as Message } from '../../../client/config/index.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { sendAndNotRead } from '../../../scripts/strangers/unreading-peers.ts';
import { startWaybill, type Waybill } from '../../app.ts';
import { LiveEvents, MAX_OF_HOLDER, type Moment } from '../../events/live-events.ts';
import type { Routed } from '../../events/route.ts';
import { listen } from '../../http/listener.ts';
import { EventPage } from '../../resources/event-page.ts';
import { readSettings } from '../../settings/settings.ts';
import { systemClock } from '../../system-clock.ts';
import { startConfigApi, TOKEN, withSource } from '../support/config-api.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const ROUTER_TOKEN = 'live-events-test-token-0123';
const SOURCE = 'workspaces/main/sources/js';
const MOMENT_MS = 500;
const BEAT_MS = 15_000;

function routed(index: number, event: object = {}): Routed {
  const times = { timestamp: '2026-11-22T12:00:00.000Z', receivedAt: '2026-11-22T12:00:00.000Z' };
  const call = { type: 'track', messageId: `m${index}`, userId: 'ada', event: 'Signed Up', context: {} } as const;
  return { source: SOURCE, event: { ...call, ...times, ...event }, to: [`${SOURCE}/destinations/webhooks`] };
}

const listed = ({ events }: Moment): string => JSON.stringify(events);
const mayGoOn = (): Promise<boolean> => Promise.resolve(true);

/** The Config API with one source, and time that the test moves. */
async function startWatched() {
  const [clock, stopping] = [new VirtualClock(), new AbortController()];
  const live = new LiveEvents({ clock, stopping: stopping.signal });
  const api = await startConfigApi(undefined, { live });
  await withSource(api);
  const client = createConfigClient({ baseUrl: api.url, token: TOKEN });
  const open = (token = TOKEN, source = SOURCE): AsyncIterator<Message> =>
    iteratorOf(createConfigClient({ baseUrl: api.url, token, retry: { maxRetries: 0 } }), source);
  const tell = async (...events: readonly Routed[]): Promise<void> => {
    live.tell(
      events,
      events.map(() => true),
    );
    await clock.advance(MOMENT_MS);
  };
  return { api, client, clock, live, stopping, open, tell };
}

test('who watches a source is told what is accepted, and where it goes', async () => {
  const { open, tell } = await startWatched();
  const stream = open();
  expect(await stream.next()).toEqual({ done: false, value: { count: 0, accepted_events: [] } });
  await tell(routed(1, { properties: { total: 5 } }));
  const { value } = await stream.next();
  expect(value).toMatchObject({
    count: 1,
    accepted_events: [
      {
        message_id: 'm1',
        type: 'track',
        event: 'Signed Up',
        user_id: 'ada',
        destinations: [`${SOURCE}/destinations/webhooks`],
        payload: { properties: { total: 5 } },
      },
    ],
  });
  await stream.return?.();
});

test('events of other sources, and those that were known already, are not told', async () => {
  const { open, tell, live, clock } = await startWatched();
  const stream = open();
  await stream.next();
  live.tell([routed(1)], [false]);
  await tell({ ...routed(2), source: `${SOURCE}2` });
  await tell(routed(3));
  expect(await stream.next()).toMatchObject({ value: { count: 1, accepted_events: [{ message_id: 'm3' }] } });
  await stream.return?.();
  await expect.poll(() => clock.sleepers).toBe(0);
});

test('however many events come, a page is told a bounded part of them, and how many there were', async () => {
  const { open, tell } = await startWatched();
  const stream = open();
  await stream.next();
  await tell(...Array.from({ length: 1_000 }, (_, index) => routed(index)));
  const { value } = await stream.next();
  expect([value.count, value.accepted_events.length]).toEqual([1_000, 25]);
  await tell(...Array.from({ length: 20 }, (_, index) => routed(index, { properties: { text: 'x'.repeat(30_000) } })));
  const large = await stream.next();
  expect(large.value.count).toBe(20);
  expect(JSON.stringify(large.value).length).toBeLessThan(260_000);
  expect(large.value.accepted_events.length).toBeGreaterThan(5);
  await stream.return?.();
});

test('a page that does not read keeps a bounded part in memory, and is told later how many it missed', async () => {
  const { live, clock } = await startWatched();
  const page = new EventPage({ holder: 'a token', listed, mayGoOn }).open(live, SOURCE);
  for (let moment = 0; moment < 100; moment += 1) {
    live.tell([routed(moment, { properties: { text: 'x'.repeat(30_000) } })], [true]);
    await clock.advance(MOMENT_MS);
  }
  expect(page.readableLength).toBeLessThan(600_000);
  let told = 0;
  page.on('data', (chunk) => (told += Number(/"count":(\d+)/.exec(String(chunk))?.[1])));
  await expect.poll(() => page.readableLength).toBe(0);
  await clock.advance(BEAT_MS);
  await expect.poll(() => told).toBe(100);
  page.destroy();
});

test('a token has a limited number of streams; who leaves makes room', async () => {
  const { open } = await startWatched();
  const streams = Array.from({ length: MAX_OF_HOLDER }, () => open());
  for (const stream of streams) await stream.next();
  await expect(open().next()).rejects.toMatchObject({ kind: 'ResourceExhausted' });
  await streams[0]?.return?.();
  await expect
    .poll(() =>
      open()
        .next()
        .then(
          () => 'open',
          () => 'refused',
        ),
    )
    .toBe('open');
});

test('a stream ends when its token is revoked, and when its source is deleted', async () => {
  const { client, clock, open } = await startWatched();
  const { name, token = '' } = await client.accessTokens.create({ description: 'reader', scopes: 'workspace:read' });
  const [revoked, orphaned] = [open(token), open()];
  for (const stream of [revoked, orphaned]) await stream.next();
  await client.accessTokens.delete(name);
  await clock.advance(BEAT_MS);
  expect(await revoked.next()).toMatchObject({ done: true });
  expect(await orphaned.next()).toMatchObject({ value: { count: 0 } });
  await client.sources.delete(SOURCE);
  await clock.advance(BEAT_MS);
  expect(await orphaned.next()).toMatchObject({ done: true });
});

test('a stream of a source that is not there is refused, as is a token of another workspace', async () => {
  const { client, open } = await startWatched();
  await expect(open(TOKEN, `${SOURCE}x`).next()).rejects.toMatchObject({ kind: 'NotFound' });
  await client.workspaces.create({ name: 'workspaces/other' });
  const wanted = { description: 'other', scopes: 'workspace:read', workspace_names: ['workspaces/other'] } as const;
  const { token = '' } = await client.accessTokens.create({ ...wanted, workspace_names: [...wanted.workspace_names] });
  await expect(open(token).next()).rejects.toMatchObject({ kind: 'NotFound' });
});

test('streams end when the router stops, and do not keep it from stopping', async () => {
  const router = await startRouter();
  const stream = await watch(router);
  const begun = performance.now();
  await router.stop();
  // Requests under way would be given two seconds.
  expect(performance.now() - begun).toBeLessThan(1_500);
  expect(await stream.next()).toMatchObject({ done: true });
});

test('SAFE-1: a page that does not read is cut off', async () => {
  const { live, clock } = await startWatched();
  const page = new EventPage({ holder: 'a token', listed, mayGoOn }).open(live, SOURCE);
  const app = Object.assign(new Koa(), { silent: true }).use((ctx) => void (ctx.body = page));
  const limits = { maxConnections: 10, headersTimeoutMs: 1_000, requestTimeoutMs: 1_000, responseTimeoutMs: 100 };
  const handle = app.callback();
  const local = { host: '127.0.0.1', port: 0, ...limits };
  const listener = await listen((request, response) => void handle(request, response), local, systemClock);
  onTestFinished(() => listener.close(0));
  await sendAndNotRead(listener.url, 'GET / HTTP/1.1\r\nHost: waybill\r\n\r\n', 1);
  const text = 'x'.repeat(250_000);
  const isCutOff = async (): Promise<boolean> => {
    live.tell([routed(1, { properties: { text } })], [true]);
    await clock.advance(MOMENT_MS);
    return page.destroyed;
  };
  await expect.poll(isCutOff, { interval: 5 }).toBe(true);
});

async function startRouter(): Promise<Waybill> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-live-'));
  const own = ['--port=0', `--data-dir=${folder}`, `--token=${ROUTER_TOKEN}`];
  const router = await startWaybill(readSettings(own, {}), new RecordingLog());
  onTestFinished(async () => {
    await router.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await createConfigClient({ baseUrl: router.url, token: ROUTER_TOKEN }).sources.create({ name: SOURCE });
  return router;
}

async function watch({ url }: Waybill): Promise<AsyncIterator<Message>> {
  const client = createConfigClient({ baseUrl: url, token: ROUTER_TOKEN });
  const stream = iteratorOf(client);
  await stream.next();
  return stream;
}

function iteratorOf({ acceptedEvents }: ConfigClient, source = SOURCE): AsyncIterator<Message> {
  const messages = acceptedEvents.watch(source);
  return messages[Symbol.asyncIterator]();
}
