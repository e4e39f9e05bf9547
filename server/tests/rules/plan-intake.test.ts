import { expect, test } from 'vitest';
import { createUndecided } from '../../losses/undecided.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { makeRegulation } from '../../resources/regulations.ts';
import type { Resources, SchemaSettings } from '../../model/resources.ts';
import type { Event } from '../../model/message.ts';
import type { Arrival } from '../../events/stage.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { stillClock } from '../support/still-clock.ts';
import { HOSTILE_PLANS } from '../support/hostile-definitions.ts';
import { orderPlan, PLAN, planWith, trackOf } from '../support/tracking.ts';

const SOURCE = 'workspaces/main/sources/js';
const OTHER = 'workspaces/main/sources/other';
const RULES = orderPlan({ required: ['id'], properties: { id: {} } });
const STRICT = { allow_unplanned_track_events: false, allow_track_event_on_violations: false } as const;

/** The pipeline before the plan of SOURCE, with what was stored of each source at once. */
async function startPlanned(settings: Partial<SchemaSettings> = {}, rules: object = RULES) {
  const config = new MemoryConfigStore();
  const schema_config = { ...LET_THROUGH, ...settings };
  await config.create('sources', { ...sourceNamed(SOURCE, 'k1'), tracking_plan: PLAN, schema_config });
  await config.create('sources', sourceNamed(OTHER, 'k2'));
  await config.create('tracking-plans', planWith(rules));
  const deliveries = openIngestionStorage();
  const undecided = createUndecided();
  const ports = { config, deliveries, undecided, dispatcher: new RecordingDispatcher(), clock: stillClock(() => 0) };
  const { pipeline, dropped, violations, log } = await startPipeline(ports);
  const accept = (...events: Event[]) => pipeline.accept({ source: SOURCE, events });
  const arrivals = (): Arrival[] =>
    deliveries.calls.flatMap((call) => {
      const bySource = Map.groupBy(call, ({ message }) => message.source);
      return Array.from(bySource, ([source, all]) => ({ source, events: all.map(({ message }) => message.event) }));
    });
  return { config, pipeline, accept, arrivals, deliveries, dropped, violations, undecided, log };
}

const GOOD = trackOf({ id: 1 }, { messageId: 'good' });
const BAD = trackOf({}, { messageId: 'bad' });
const UNPLANNED = trackOf({ id: 1 }, { messageId: 'unplanned', event: 'Other' });

test('D-46: events as planned reach the router as they came', async () => {
  const { accept, arrivals, violations } = await startPlanned(STRICT);
  await accept(GOOD, GOOD);
  expect(arrivals()).toEqual([{ source: SOURCE, events: [GOOD, GOOD] }]);
  expect([violations.countsOf(SOURCE), violations.lastOf(SOURCE)]).toEqual([[], []]);
});

test('D-42, D-46: blocked events are dropped alone, counted with their reason', async () => {
  const { accept, arrivals, dropped, violations, log } = await startPlanned(STRICT);
  expect(await accept(GOOD, BAD, UNPLANNED)).toEqual({ accepted: 1, duplicates: 0 });
  expect(arrivals()).toEqual([{ source: SOURCE, events: [GOOD] }]);
  expect([...dropped.of(SOURCE)]).toEqual([
    ['schema_violation', 1],
    ['unplanned', 1],
  ]);
  expect(dropped.lastOf(SOURCE)).toMatchObject([
    { reason: 'unplanned', messageId: 'unplanned', event: 'Other', type: 'track' },
    { reason: 'schema_violation', messageId: 'bad', event: 'Order' },
  ]);
  expect(violations.countsOf(SOURCE)).toEqual([
    { type: 'track', event: 'Order', kind: 'required_missing', count: 1 },
    { type: 'track', event: 'Other', kind: 'unplanned_event', count: 1 },
  ]);
  const fields = { source: SOURCE, drops: { schema_violation: 1, unplanned: 1 } };
  expect(log.lines).toEqual([{ level: 'info', fields, message: 'events dropped' }]);
});

test('D-46: a request of blocked events alone stores nothing, and succeeds', async () => {
  const { accept, arrivals } = await startPlanned(STRICT);
  expect([await accept(BAD), arrivals()]).toEqual([{ accepted: 0, duplicates: 0 }, []]);
});

test('D-46: a request that could not be stored counts nothing', async () => {
  const { accept, deliveries, dropped, violations } = await startPlanned(STRICT);
  deliveries.isUnavailable = true;
  await expect(accept(GOOD, BAD)).rejects.toThrow(StoreUnavailable);
  expect([dropped.of(SOURCE).size, violations.lastOf(SOURCE)]).toEqual([0, []]);
});

function letThrough(source: Resources['sources']): Resources['sources'] {
  return { ...source, schema_config: LET_THROUGH };
}

test('D-13, D-46: a change of plan or settings holds for the next event', async () => {
  const { accept, arrivals, config } = await startPlanned(STRICT);
  let sent = 0;
  const accepted = async () => (await accept({ ...BAD, messageId: `bad-${(sent += 1)}` })).accepted;
  expect(await accepted()).toBe(0);
  const plan = await config.get('tracking-plans', PLAN);
  // The time of the change stays the same: it has whole seconds.
  await config.update('tracking-plans', PLAN, (one) => ({ ...one, rules: { ...orderPlan({}) } }));
  expect(await accepted()).toBe(1);
  await config.update('tracking-plans', PLAN, () => plan ?? planWith({}));
  expect(await accepted()).toBe(0);
  await config.update('sources', SOURCE, letThrough);
  expect(await accepted()).toBe(1);
  expect(arrivals()).toHaveLength(2);
});

test.each(['no connection', 'no plan'])('D-46: a source with %s any more lets all through', async (what) => {
  const { accept, config, violations } = await startPlanned(STRICT);
  expect((await accept(BAD)).accepted).toBe(0);
  if (what === 'no plan') await config.remove('tracking-plans', PLAN);
  else await config.update('sources', SOURCE, ({ tracking_plan: _plan, ...rest }) => rest);
  expect((await accept(BAD)).accepted).toBe(1);
  expect(violations.lastOf(SOURCE)).toHaveLength(1);
});

test('D-47: blocked events go on to the source that is named, as they came', async () => {
  const { accept, arrivals } = await startPlanned({ ...STRICT, forwarding_blocked_events_to: 'other' });
  await accept(GOOD, BAD, UNPLANNED);
  expect(arrivals()).toEqual([
    { source: SOURCE, events: [GOOD] },
    { source: OTHER, events: [BAD, UNPLANNED] },
  ]);
});

test('D-12: a blocked event of a user whom the other source suppresses is not forwarded, and counted there', async () => {
  const { config, accept, arrivals, dropped } = await startPlanned({
    ...STRICT,
    forwarding_blocked_events_to: 'other',
  });
  const attributes = { name: 'userId' as const, values: ['gone'] };
  await config.create('regulations', makeRegulation({ regulation_type: 'Suppress', attributes }, OTHER, 0));
  await accept({ ...BAD, userId: 'gone' }, { ...UNPLANNED, userId: 'here' });
  expect(arrivals()).toEqual([{ source: OTHER, events: [{ ...UNPLANNED, userId: 'here' }] }]);
  expect([...dropped.of(OTHER)]).toEqual([['suppressed', 1]]);
  expect([...dropped.of(SOURCE).keys()]).toEqual(['schema_violation', 'unplanned']);
});

test('D-47: violations go on as events, the same for the same', async () => {
  const { accept, arrivals } = await startPlanned({ forwarding_violations_to: 'other' });
  await accept(BAD);
  await accept(BAD);
  const [, told, , again] = arrivals();
  expect(told).toMatchObject({
    source: OTHER,
    events: [{ event: 'Violation Generated', userId: 'schema-violations' }],
  });
  expect(told?.events[0]?.properties).toEqual({
    sourceName: SOURCE,
    sourceSlug: 'js',
    trackingPlanID: `rs_${'p'.repeat(27)}`,
    trackingPlanName: 'Shop',
    eventMessageID: 'bad',
    eventType: 'track',
    eventName: 'Order',
    violationType: 'required_missing',
    violationField: 'properties.id',
    violationRule: 'event',
    violationDescription: 'is required',
    violationAction: 'allowed',
  });
  expect(again?.events[0]?.messageId).toBe(told?.events[0]?.messageId);
});

test.each(['js', 'missing'])('D-47: nothing is forwarded to the source %s', async (slug) => {
  const { accept, arrivals, log } = await startPlanned({ ...STRICT, forwarding_blocked_events_to: slug });
  await accept(BAD);
  expect(arrivals()).toEqual([]);
  expect(log.lines[0]).toMatchObject({
    level: 'warn',
    fields: { target: `workspaces/main/sources/${slug}`, events: 1 },
  });
});

test('D-46: of an event with very many values all that is wrong is left out at once', async () => {
  const items = Array.from({ length: 600 }, () => 'x');
  const numbers = { items: { type: 'number' } };
  const rules = orderPlan({ properties: { a: numbers, b: numbers, id: {} } });
  const { accept, arrivals, violations } = await startPlanned({ allow_track_properties_on_violations: false }, rules);
  await accept(trackOf({ a: items, b: items, id: 1 }));
  expect(arrivals()[0]?.events[0]?.properties).toEqual({ id: 1 });
  expect(violations.lastOf(SOURCE).map(({ field }) => field)).toEqual(
    Array.from({ length: 20 }, (_, at) => `properties.a[${19 - at}]`),
  );
});

test('D-47: where nothing was blocked, nothing is said of where it would have gone', async () => {
  const { accept, log } = await startPlanned({
    ...STRICT,
    forwarding_blocked_events_to: 'missing',
    forwarding_violations_to: 'missing',
  });
  await accept(GOOD);
  expect(log.lines).toEqual([]);
});

test('D-12: without a plan the events of suppressed users are left out, and no others', async () => {
  const { config, pipeline, deliveries } = await startPlanned();
  const attributes = { name: 'userId' as const, values: ['gone'] };
  await config.create('regulations', makeRegulation({ regulation_type: 'Suppress', attributes }, OTHER, 0));
  const events = ['gone', 'here'].map((userId) => trackOf({}, { userId, messageId: userId }));
  expect(await pipeline.accept({ source: OTHER, events })).toEqual({ accepted: 1, duplicates: 0 });
  expect(deliveries.events).toMatchObject([{ userId: 'here' }]);
});

test('SAFE-2: events that cannot be held to their plan in time are counted for it, and no others', async () => {
  const [rules = {}, slow = GOOD] = HOSTILE_PLANS['many alternatives'] ?? [];
  const { accept, undecided } = await startPlanned({}, rules);
  await accept({ ...GOOD, messageId: 'quick', event: 'Other' });
  expect(undecided.of(PLAN)).toBeUndefined();
  await accept({ ...slow, messageId: 'slow' });
  expect(undecided.of(PLAN)).toEqual({ count: 1, lastTime: slow.receivedAt });
});
