import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Event } from '../../model/message.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { createIntake } from '../../events/intake.ts';
import { destinationNamed, MemoryConfigStore } from '../support/ingestion-config-store.ts';
import { MemoryDeliveryStore } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { stillClock } from '../support/still-clock.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const SOURCE = 'workspaces/main/sources/js';
const WEBHOOKS = `${SOURCE}/destinations/webhooks`;
const TIME = '2026-11-20T12:00:00.000Z';

function eventNamed(messageId: string, rest: Partial<Event> = {}): Event {
  return { type: 'identify', messageId, userId: 'u', context: {}, timestamp: TIME, receivedAt: TIME, ...rest };
}

function arrivalOf(...events: Event[]): { source: string; events: Event[] } {
  return { source: SOURCE, events };
}

async function startIntake(...destinations: string[]) {
  const [config, deliveries, dispatcher] = [
    new MemoryConfigStore(),
    new MemoryDeliveryStore(),
    new RecordingDispatcher(),
  ];
  const [dropped, log] = [createDroppedEvents(), new RecordingLog()];
  for (const name of destinations) await config.create('destinations', destinationNamed(name));
  const clock = stillClock(() => Date.parse(TIME));
  const intake = createIntake({ config, deliveries, dispatcher, clock, dropped, log, ...newEvaluation() });
  return { config, deliveries, dispatcher, dropped, log, intake };
}

test('HOOK-15: a call goes to the connected destination of its own source', async () => {
  const other = 'workspaces/main/sources/other/destinations/webhooks';
  const { intake, dispatcher, deliveries } = await startIntake(other, WEBHOOKS);
  await intake.accept(arrivalOf(eventNamed('m1')));
  expect(dispatcher.claims.map(({ destination }) => destination)).toEqual([WEBHOOKS]);
  expect(deliveries.stored).toMatchObject([
    { message: { source: SOURCE, receivedAt: Date.parse(TIME), event: { messageId: 'm1' } } },
  ]);
});

test('HOOK-15: without a connected destination a call is stored, and goes nowhere', async () => {
  const { intake, dispatcher, deliveries } = await startIntake();
  expect(await intake.accept(arrivalOf(eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 0 });
  expect(deliveries.stored).toMatchObject([{ routes: [] }]);
  expect(dispatcher.claims).toEqual([]);
});

test('D-26: places that were taken are given back, whatever the store answers', async () => {
  const { intake, dispatcher, deliveries } = await startIntake(WEBHOOKS);
  const event = eventNamed('m1');
  await intake.accept(arrivalOf(event, event, eventNamed('m2')));
  expect([dispatcher.claims.length, dispatcher.kept]).toEqual([2, 0]);
  deliveries.accept = () => Promise.reject(new StoreUnavailable('the disk is full'));
  await expect(intake.accept(arrivalOf(eventNamed('m3')))).rejects.toThrow(StoreUnavailable);
  expect(dispatcher.kept).toBe(0);
});

test('CFG-11, HOOK-15: a switched destination is routed to, or not, from the next call on', async () => {
  const { intake, config, deliveries } = await startIntake(WEBHOOKS);
  for (const enabled of [true, false, true]) {
    await config.update('destinations', WEBHOOKS, (current) => ({ ...current, enabled }));
    await intake.accept(arrivalOf(eventNamed(`m${deliveries.stored.length}`)));
  }
  await config.remove('destinations', WEBHOOKS);
  await intake.accept(arrivalOf(eventNamed('last')));
  expect(deliveries.stored.map(({ routes }) => routes.length)).toEqual([1, 0, 1, 0]);
});

test('D-11: destinations of other slugs deliver nothing', async () => {
  const slugs = ['webhooks-2', 'Webhooks', 'salesforce', 'webhook'];
  const { intake, deliveries } = await startIntake(...slugs.map((slug) => `${SOURCE}/destinations/${slug}`));
  await intake.accept(arrivalOf(eventNamed('m1'), eventNamed('m2', { integrations: { Salesforce: true } })));
  expect(deliveries.stored.map(({ routes }) => routes)).toEqual([[], []]);
});

test('ING-10: the events of a request are stored in one call, all or none', async () => {
  const { intake, deliveries, dispatcher } = await startIntake(WEBHOOKS);
  await intake.accept(arrivalOf(eventNamed('m1'), eventNamed('m2'), eventNamed('m3')));
  expect(deliveries.calls.map((call) => call.length)).toEqual([3]);
  deliveries.isUnavailable = true;
  await expect(intake.accept(arrivalOf(eventNamed('m4')))).rejects.toThrow(StoreUnavailable);
  expect(dispatcher.claims).toHaveLength(3);
});

test('D-43: duplicates are counted, and not delivered again', async () => {
  const { intake, deliveries, dispatcher } = await startIntake(WEBHOOKS);
  expect(await intake.accept(arrivalOf(eventNamed('m1'), eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 1 });
  expect(await intake.accept(arrivalOf(eventNamed('m2'), eventNamed('m1')))).toEqual({ accepted: 1, duplicates: 1 });
  expect(deliveries.events.map(({ messageId }) => messageId)).toEqual(['m1', 'm2']);
  expect(dispatcher.claims).toHaveLength(2);
});

test('ING-10: what finds no room is stored unclaimed, and the dispatcher told', async () => {
  const { intake, deliveries, dispatcher } = await startIntake(WEBHOOKS);
  dispatcher.full.add(WEBHOOKS);
  await intake.accept(
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
  await intake.accept(arrivalOf(eventNamed('m1')));
  dispatcher.full.clear();
  await intake.accept(arrivalOf(eventNamed('m3')));
  expect(dispatcher.woken).toEqual([WEBHOOKS]);
});

test('D-13: destinations and their filters are read once for each request', async () => {
  const { intake, config } = await startIntake(WEBHOOKS);
  await intake.accept(arrivalOf(...Array.from({ length: 100 }, (_, id) => eventNamed(`m${id}`))));
  expect(config.listCalls).toBe(2);
});

test('ING-4: a destination beyond the first thousand is found', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `${SOURCE}/destinations/other-${index}`);
  const { intake, deliveries } = await startIntake(...many, WEBHOOKS);
  await intake.accept(arrivalOf(eventNamed('m1')));
  expect(deliveries.stored.map(({ routes }) => routes)).toEqual([[{ destination: WEBHOOKS, claimed: true }]]);
});

const IDLE = `${SOURCE}/destinations/amplitude`;

test('D-11: events for a destination that delivers nothing are counted, and told in the log once', async () => {
  const { intake, dropped, log, dispatcher } = await startIntake(IDLE, WEBHOOKS);
  await intake.accept(arrivalOf(eventNamed('m1'), eventNamed('m2')));
  await intake.accept(arrivalOf(eventNamed('m2'), eventNamed('m3')));
  expect(dispatcher.claims.map(({ destination }) => destination)).toEqual([WEBHOOKS, WEBHOOKS, WEBHOOKS]);
  expect([...dropped.of(SOURCE)]).toEqual([['undeliverable', 3]]);
  expect(dropped.lastOf(SOURCE).map(({ messageId }) => messageId)).toEqual(['m3', 'm2', 'm1']);
  expect(log.lines).toEqual([
    { level: 'warn', fields: { destination: IDLE }, message: expect.stringContaining('delivers nothing') },
  ]);
});

test('D-11: what would not go to such a destination is not counted', async () => {
  const { intake, config, dropped, log, deliveries } = await startIntake(IDLE);
  const name = (await config.get('destinations', IDLE))?.display_name ?? '';
  await intake.accept(arrivalOf(eventNamed('m1', { integrations: { [name]: false } })));
  await intake.accept(arrivalOf(eventNamed('m2', { integrations: { all: false } })));
  deliveries.accept = () => Promise.reject(new StoreUnavailable('the disk is full'));
  await expect(intake.accept(arrivalOf(eventNamed('m3')))).rejects.toThrow(StoreUnavailable);
  await config.update('destinations', IDLE, (current) => ({ ...current, enabled: false }));
  await intake.accept(arrivalOf(eventNamed('m4'))).catch(() => undefined);
  expect([...dropped.of(SOURCE)]).toEqual([]);
  expect(log.lines).toEqual([]);
});
