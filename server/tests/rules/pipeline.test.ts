import { expect, test } from 'vitest';
import { openEnvelope } from '../../events/normalize-calls.ts';
import type { PipelinePorts } from '../../events/pipeline.ts';
import { makeRegulation } from '../../resources/regulations.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown, StaleRouting } from '../../storage/errors.ts';
import type { AcceptRequest } from '../../storage/delivery-storage.ts';
import { destination, regulation, source, workspace } from '../support/config-resources.ts';
import { eventOf } from '../support/engine.ts';
import { MemoryConfigStore } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { stillClock } from '../support/still-clock.ts';

const MAIN = 'workspaces/main';
const SOURCE = `${MAIN}/sources/a`;
const WEBHOOKS = `${SOURCE}/destinations/webhooks`;

/** A source with webhooks; `stale` times the storage has another configuration than it was routed by; it takes `most` requests. */
async function startWorld({
  stale = 0,
  most = Infinity,
  ...ports
}: { readonly stale?: number; readonly most?: number } & Partial<Pick<PipelinePorts, 'live' | 'tracing'>> = {}) {
  const [config, storage, dispatcher] = [new MemoryConfigStore(), openIngestionStorage(), new RecordingDispatcher()];
  await config.create('workspaces', workspace('main'));
  await config.create('sources', source('main', 'a'));
  await config.create('destinations', { ...destination(SOURCE), enabled: true });
  const asked: AcceptRequest[] = [];
  const deliveries = {
    accept: (request: AcceptRequest) => {
      asked.push(request);
      if (asked.length > most) return Promise.reject(new StoreUnavailable('the disk is full'));
      return asked.length <= stale ? Promise.reject(new StaleRouting('another version')) : storage.accept(request);
    },
  };
  const given = { config, deliveries, dispatcher, clock: stillClock(() => 0), ...ports };
  return { ...(await startPipeline(given)), config, asked, storage };
}

test('D-63: events whose configuration changes again and again pass ten times, and are then refused', async () => {
  const patient = await startWorld({ stale: 9 });
  expect(await patient.pipeline.accept({ source: SOURCE, events: [eventOf(0)] })).toEqual({
    accepted: 1,
    duplicates: 0,
  });
  const tired = await startWorld({ stale: 10 });
  await expect(tired.pipeline.accept({ source: SOURCE, events: [eventOf(0)] })).rejects.toThrow(StaleRouting);
  expect([patient.asked.length, tired.asked.length, tired.storage.stored]).toEqual([10, 10, []]);
});

const eventNamed = (messageId: string) => eventOf(0, { messageId });

test('D-43: an acceptance tells how many events are new, and counts those alone for their source', async () => {
  const { pipeline, accepted } = await startWorld();
  await pipeline.accept({ source: SOURCE, events: [eventNamed('m1')] });
  const events = ['m1', 'm2', 'm3'].map(eventNamed);
  expect(await pipeline.accept({ source: SOURCE, events })).toEqual({ accepted: 2, duplicates: 1 });
  expect(accepted.countOf(SOURCE)).toBe(3);
});

test('who watches is told where each event goes, and whether it is new', async () => {
  const told: unknown[] = [];
  const live = { tell: (...moment: readonly unknown[]): void => void told.push(moment) };
  const { pipeline } = await startWorld({ live });
  const event = eventOf(0);
  for (let times = 0; times < 2; times += 1) await pipeline.accept({ source: SOURCE, events: [event] });
  const routed = [{ source: SOURCE, event, to: [WEBHOOKS] }];
  expect(told).toEqual([
    [routed, [true]],
    [routed, [false]],
  ]);
});

test('events of a source that was removed a moment ago are kept, and go nowhere', async () => {
  const { pipeline, storage, dropped, asked, directory } = await startWorld();
  const gone = `${MAIN}/sources/gone`;
  expect(await pipeline.accept({ source: gone, events: [eventOf(0)] })).toEqual({ accepted: 1, duplicates: 0 });
  expect(storage.stored).toMatchObject([{ message: { source: gone }, routes: [] }]);
  expect(directory.version(MAIN)).toBeGreaterThan(0);
  expect(asked).toMatchObject([{ workspace: MAIN, version: directory.version(MAIN) }]);
  expect(Object.fromEntries(dropped.of(gone))).toEqual({});
});

test('D-12: what the router itself announces passes no stage, also of a suppressed user', async () => {
  const { pipeline, config, storage } = await startWorld();
  const attributes = { name: 'userId' as const, values: ['u1'] };
  await config.create('regulations', makeRegulation({ regulation_type: 'Suppress', attributes }, MAIN, 0));
  const arrival = { source: SOURCE, events: [eventOf(0, { userId: 'u1' })] };
  expect(await pipeline.accept(arrival)).toEqual({ accepted: 0, duplicates: 0 });
  expect(storage.stored).toEqual([]);
  expect(await pipeline.announce(arrival)).toEqual({ accepted: 1, duplicates: 0 });
  expect(storage.stored).toMatchObject([{ routes: [{ destination: WEBHOOKS }] }]);
});

test('D-42: a call that is refused whole is counted for its source with its reason, and the time of its request', async () => {
  const { pipeline, dropped } = await startWorld();
  const envelope = openEnvelope({}, { receivedAt: Date.UTC(2026, 0, 1), sender: 'server' });
  pipeline.drop(SOURCE, envelope, { type: 'track', event: 'E' }, 'event_too_large');
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ event_too_large: 1 });
  expect(dropped.lastOf(SOURCE)).toMatchObject([{ reason: 'event_too_large', receivedAt: '2026-01-01T00:00:00.000Z' }]);
});

const SUPPRESSED = regulation('main', 'rg_1');

test('NODE-5: what was dropped by a configuration that has changed meanwhile passes once more', async () => {
  const { pipeline, config, storage, dropped } = await startWorld();
  await config.create('regulations', SUPPRESSED);
  config.isBehind = true;
  // Another router has answered it, and this one has not heard of it.
  await config.remove('regulations', SUPPRESSED.name);
  expect(await pipeline.accept({ source: SOURCE, events: [eventOf(0)] })).toEqual({ accepted: 1, duplicates: 0 });
  expect([storage.stored.length, Object.fromEntries(dropped.of(SOURCE))]).toEqual([1, {}]);
});

test('NODE-5: calls whose configuration has changed belong to the source that has their key by then', async () => {
  const { pipeline, config, storage } = await startWorld({ stale: 1 });
  const other = `${MAIN}/sources/b`;
  await config.create('sources', source('main', 'b'));
  const envelope = openEnvelope({}, { receivedAt: 0, sender: 'server' });
  const calls = [{ type: 'track', userId: 'u1', event: 'E' }];
  const sourceNow = () => Promise.resolve({ name: other });
  await pipeline.receive({ source: SOURCE, sourceNow, envelope, calls, bodyBytes: 100 });
  expect(storage.stored).toMatchObject([{ message: { source: other }, routes: [] }]);
});

test('a request without events is stored as nothing, and accepted', async () => {
  const { pipeline, asked } = await startWorld();
  expect(await pipeline.accept({ source: SOURCE, events: [] })).toEqual({ accepted: 0, duplicates: 0 });
  expect(asked).toEqual([]);
});

test('D-42: what stages drop of events that were no calls has the time of the first of them', async () => {
  const { pipeline, config, dropped } = await startWorld();
  await config.create('regulations', SUPPRESSED);
  const [first, second] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'].map((receivedAt, index) =>
    eventOf(0, { messageId: `m${index}`, receivedAt }),
  );
  if (first !== undefined && second !== undefined) await pipeline.accept({ source: SOURCE, events: [first, second] });
  expect(dropped.lastOf(SOURCE).map(({ receivedAt }) => receivedAt)).toEqual(Array(2).fill(first?.receivedAt));
});

test('D-11: what is new and would go to a destination that delivers nothing is counted', async () => {
  const { pipeline, config, dropped } = await startWorld();
  await config.create('destinations', { ...destination(SOURCE, 'amplitude'), enabled: true });
  for (const events of [[eventNamed('m1')], [eventNamed('m1'), eventNamed('m2')]]) {
    await pipeline.accept({ source: SOURCE, events });
  }
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ undeliverable: 2 });
});

test('where events are traced, their arrival is', async () => {
  const ended: unknown[] = [];
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const arrival = (from: string, { messageId }: { readonly messageId: string }, parent: string | undefined) => ({
    traceparent,
    end: (result: unknown) => void ended.push([from, messageId, parent, result]),
  });
  const { pipeline, storage } = await startWorld({ tracing: { arrival, attempt: () => undefined } });
  await pipeline.accept({ source: SOURCE, events: [eventNamed('m1')] });
  expect(ended).toEqual([[SOURCE, 'm1', undefined, 'stored']]);
  expect(storage.events).toMatchObject([{ traceparent }]);
});

test('D-42: what a request lost is counted once it is stored, with the time of the request', async () => {
  const { pipeline, dropped, storage } = await startWorld();
  const envelope = openEnvelope({}, { receivedAt: Date.UTC(2026, 0, 1), sender: 'server' });
  const calls = [
    { type: 'track', event: 'Nobody' },
    { type: 'track', userId: 'u1', event: 'E' },
  ];
  const sourceNow = () => Promise.resolve({ name: SOURCE });
  await pipeline.receive({ source: SOURCE, sourceNow, envelope, calls, bodyBytes: 100 });
  expect(storage.events).toMatchObject([{ event: 'E' }]);
  expect(dropped.lastOf(SOURCE)).toMatchObject([{ reason: 'no_user_anon_id', receivedAt: '2026-01-01T00:00:00.000Z' }]);
});

/** A request of two parts, with a call that is no event; to a storage that takes so many of its parts. */
async function receiveInParts(most: number) {
  const { pipeline, config, dropped, asked } = await startWorld({ most });
  const catalog_name = 'catalog/destinations/webhooks';
  for (const name of ['webhooks-2', 'webhooks-3', 'webhooks-4']) {
    await config.create('destinations', { ...destination(SOURCE, name), catalog_name, enabled: true });
  }
  const envelope = openEnvelope({}, { receivedAt: 0, sender: 'server' });
  const calls = Array.from({ length: 1_300 }, (_, at) => ({ type: 'track', userId: 'u1', event: `E${at}` }));
  const sourceNow = () => Promise.resolve({ name: SOURCE });
  const received = { source: SOURCE, sourceNow, envelope, calls: [{ type: 'track' }, ...calls], bodyBytes: 100 };
  const answer = await pipeline.receive(received).catch((error: unknown) => error);
  return { answer, parts: asked.length, drops: Object.fromEntries(dropped.of(SOURCE)) };
}

test('D-42: what a request in parts lost is counted once, when its last part is stored', async () => {
  expect(await receiveInParts(2)).toEqual({ answer: undefined, parts: 2, drops: { no_user_anon_id: 1 } });
  // It is sent again as a whole, and counted then.
  expect(await receiveInParts(1)).toEqual({ answer: expect.any(OutcomeUnknown), parts: 2, drops: {} });
});

test('ING-11: of a request whose first part is stored nobody hears that nothing was', async () => {
  expect(await receiveInParts(0)).toMatchObject({ answer: expect.any(StoreUnavailable), parts: 1 });
  const { answer } = await receiveInParts(1);
  expect(answer).toMatchObject({ name: 'OutcomeUnknown', message: '1 of 2 parts are stored: the disk is full' });
});
