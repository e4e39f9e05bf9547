import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown, StaleRouting } from '../../storage/errors.ts';
import type { Event } from '../../model/message.ts';
import { destinationNamed, MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { stillClock } from '../support/still-clock.ts';

const SOURCE = 'workspaces/main/sources/js';
const WEBHOOKS = `${SOURCE}/destinations/webhooks`;
const TIME = '2026-11-20T12:00:00.000Z';

function eventNamed(messageId: string, rest: Partial<Event> = {}): Event {
  return { type: 'identify', messageId, userId: 'u', context: {}, timestamp: TIME, receivedAt: TIME, ...rest };
}

function arrivalOf(...events: Event[]): { source: string; events: Event[] } {
  return { source: SOURCE, events };
}

async function startRouter(...destinations: string[]) {
  const [config, deliveries, dispatcher] = [new MemoryConfigStore(), openIngestionStorage(), new RecordingDispatcher()];
  await config.create('sources', sourceNamed(SOURCE, 'k'));
  for (const name of destinations) await config.create('destinations', destinationNamed(name));
  const clock = stillClock(() => Date.parse(TIME));
  const { pipeline, dropped, log } = await startPipeline({ config, deliveries, dispatcher, clock });
  return { config, deliveries, dispatcher, dropped, log, pipeline };
}

test('HOOK-15: a call goes to the connected destination of its own source', async () => {
  const other = 'workspaces/main/sources/other/destinations/webhooks';
  const { pipeline, dispatcher, deliveries } = await startRouter(other, WEBHOOKS);
  await pipeline.accept(arrivalOf(eventNamed('m1')));
  expect(dispatcher.claims.map(({ destination }) => destination)).toEqual([WEBHOOKS]);
  expect(deliveries.stored).toMatchObject([
    { message: { source: SOURCE, receivedAt: Date.parse(TIME), event: { messageId: 'm1' } } },
  ]);
});

test('HOOK-15: without a connected destination a call is stored, and goes nowhere', async () => {
  const { pipeline, dispatcher, deliveries } = await startRouter();
  expect(await pipeline.accept(arrivalOf(eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 0 });
  expect(deliveries.stored).toMatchObject([{ routes: [] }]);
  expect(dispatcher.claims).toEqual([]);
});

test('D-26: places that were taken are given back, whatever the store answers', async () => {
  const { pipeline, dispatcher, deliveries } = await startRouter(WEBHOOKS);
  const event = eventNamed('m1');
  await pipeline.accept(arrivalOf(event, event, eventNamed('m2')));
  expect([dispatcher.claims.length, dispatcher.kept]).toEqual([2, 0]);
  deliveries.accept = () => Promise.reject(new StoreUnavailable('the disk is full'));
  await expect(pipeline.accept(arrivalOf(eventNamed('m3')))).rejects.toThrow(StoreUnavailable);
  expect(dispatcher.kept).toBe(0);
});

test('CFG-11, HOOK-15: a switched destination is routed to, or not, from the next call on', async () => {
  const { pipeline, config, deliveries } = await startRouter(WEBHOOKS);
  for (const enabled of [true, false, true]) {
    await config.update('destinations', WEBHOOKS, (current) => ({ ...current, enabled }));
    await pipeline.accept(arrivalOf(eventNamed(`m${deliveries.stored.length}`)));
  }
  await config.remove('destinations', WEBHOOKS);
  await pipeline.accept(arrivalOf(eventNamed('last')));
  expect(deliveries.stored.map(({ routes }) => routes.length)).toEqual([1, 0, 1, 0]);
});

test('D-13: an event that was routed by an older configuration is routed once more, by the present one', async () => {
  const { pipeline, config, deliveries, dispatcher } = await startRouter(WEBHOOKS);
  const own = { ...deliveries };
  const versions: number[] = [];
  deliveries.accept = async (request) => {
    versions.push(request.version);
    if (versions.length > 1) return own.accept(request);
    await config.update('destinations', WEBHOOKS, (current) => ({ ...current, enabled: false }));
    throw new StaleRouting('it has another version');
  };
  expect(await pipeline.accept(arrivalOf(eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 0 });
  expect(deliveries.stored).toMatchObject([{ routes: [] }]);
  expect(dispatcher.kept).toBe(0);
  expect(versions[1]).toBeGreaterThan(versions[0] ?? Infinity);
});

test('an accept whose answer was lost is asked for again, with the same key', async () => {
  const { pipeline, deliveries, dispatcher } = await startRouter(WEBHOOKS);
  const own = { ...deliveries };
  const keys: string[] = [];
  deliveries.accept = async (request) => {
    const answer = await own.accept(request);
    if (keys.push(request.key) === 1) throw new OutcomeUnknown('the answer was lost');
    return answer;
  };
  expect(await pipeline.accept(arrivalOf(eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 0 });
  expect([new Set(keys).size, keys.length, dispatcher.claims.length]).toEqual([1, 2, 1]);
});

test('D-11: destinations of other slugs deliver nothing', async () => {
  const slugs = ['webhooks-2', 'Webhooks', 'salesforce', 'webhook'];
  const { pipeline, deliveries } = await startRouter(...slugs.map((slug) => `${SOURCE}/destinations/${slug}`));
  await pipeline.accept(arrivalOf(eventNamed('m1'), eventNamed('m2', { integrations: { Salesforce: true } })));
  expect(deliveries.stored.map(({ routes }) => routes)).toEqual([[], []]);
});

test('ING-10: the events of a request are stored in one call, all or none', async () => {
  const { pipeline, deliveries, dispatcher } = await startRouter(WEBHOOKS);
  await pipeline.accept(arrivalOf(eventNamed('m1'), eventNamed('m2'), eventNamed('m3')));
  expect(deliveries.calls.map((call) => call.length)).toEqual([3]);
  deliveries.isUnavailable = true;
  await expect(pipeline.accept(arrivalOf(eventNamed('m4')))).rejects.toThrow(StoreUnavailable);
  expect(dispatcher.claims).toHaveLength(3);
});

test('D-43: duplicates are counted, and not delivered again', async () => {
  const { pipeline, deliveries, dispatcher } = await startRouter(WEBHOOKS);
  expect(await pipeline.accept(arrivalOf(eventNamed('m1'), eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 1 });
  expect(await pipeline.accept(arrivalOf(eventNamed('m2'), eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 1 });
  expect(deliveries.events.map(({ messageId }) => messageId)).toEqual(['m1', 'm2']);
  expect(dispatcher.claims).toHaveLength(2);
});

test('ING-10: what finds no room is stored unclaimed, and the dispatcher told', async () => {
  const { pipeline, deliveries, dispatcher } = await startRouter(WEBHOOKS);
  dispatcher.full.add(WEBHOOKS);
  await pipeline.accept(
    arrivalOf(eventNamed('m1'), eventNamed('m2'), eventNamed('off', { integrations: { all: false } })),
  );
  expect(deliveries.stored.map(({ routes }) => routes)).toEqual([
    [{ destination: WEBHOOKS, claimed: false }],
    [{ destination: WEBHOOKS, claimed: false }],
    [],
  ]);
  expect(dispatcher.claims).toEqual([]);
  expect(dispatcher.woken).toEqual([WEBHOOKS]);
  // No place was taken, so none is given back; and who has room is not woken.
  expect(dispatcher.kept).toBe(0);
  await pipeline.accept(arrivalOf(eventNamed('m1')));
  dispatcher.full.clear();
  await pipeline.accept(arrivalOf(eventNamed('m3')));
  expect(dispatcher.woken).toEqual([WEBHOOKS]);
});

test('D-13: accepting an event reads no configuration from the storage', async () => {
  const { pipeline, config } = await startRouter(WEBHOOKS);
  await pipeline.accept(arrivalOf(...Array.from({ length: 100 }, (_, id) => eventNamed(`m${id}`))));
  expect(config.reads).toBe(0);
});

test('ING-4: a destination beyond the first thousand is found', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `${SOURCE}/destinations/other-${index}`);
  const { pipeline, deliveries } = await startRouter(...many, WEBHOOKS);
  await pipeline.accept(arrivalOf(eventNamed('m1')));
  expect(deliveries.stored.map(({ routes }) => routes)).toEqual([[{ destination: WEBHOOKS, claimed: true }]]);
});

const IDLE = `${SOURCE}/destinations/amplitude`;

test('D-11: events for a destination that delivers nothing are counted, and told in the log once', async () => {
  const { pipeline, dropped, log, dispatcher } = await startRouter(IDLE, WEBHOOKS);
  await pipeline.accept(arrivalOf(eventNamed('m1'), eventNamed('m2')));
  await pipeline.accept(arrivalOf(eventNamed('m2'), eventNamed('m3')));
  expect(dispatcher.claims.map(({ destination }) => destination)).toEqual([WEBHOOKS, WEBHOOKS, WEBHOOKS]);
  expect([...dropped.of(SOURCE)]).toEqual([['undeliverable', 3]]);
  expect(dropped.lastOf(SOURCE).map(({ messageId }) => messageId)).toEqual(['m3', 'm2', 'm1']);
  expect(log.lines).toEqual([
    { level: 'warn', fields: { destination: IDLE }, message: expect.stringContaining('not supported') },
  ]);
});

test('D-11: what would not go to such a destination is not counted', async () => {
  const { pipeline, config, dropped, log, deliveries } = await startRouter(IDLE);
  const name = (await config.get('destinations', IDLE))?.display_name ?? '';
  await pipeline.accept(arrivalOf(eventNamed('m1', { integrations: { [name]: false } })));
  await pipeline.accept(arrivalOf(eventNamed('m2', { integrations: { all: false } })));
  deliveries.accept = () => Promise.reject(new StoreUnavailable('the disk is full'));
  await expect(pipeline.accept(arrivalOf(eventNamed('m3')))).rejects.toThrow(StoreUnavailable);
  await config.update('destinations', IDLE, (current) => ({ ...current, enabled: false }));
  await pipeline.accept(arrivalOf(eventNamed('m4'))).catch(() => undefined);
  expect([...dropped.of(SOURCE)]).toEqual([]);
  expect(log.lines).toEqual([]);
});
