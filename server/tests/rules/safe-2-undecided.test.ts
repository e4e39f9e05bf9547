import { expect, test } from 'vitest';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { Budget } from '../../evaluation/budget.ts';
import { chainOf, readActions } from '../../filters/chain.ts';
import { onlyListed, readPaths, withoutListed } from '../../filters/field-lists.ts';
import { parse } from '../../fql/parse.ts';
import { createInstruments } from '../../operations/metrics/registry.ts';
import { measuredLosses } from '../../losses/measured-losses.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import type { SchemaSettings, FilterAction, Filter } from '../../model/resources.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { createViolations } from '../../losses/violations.ts';
import { startConfigApi, withWebhooks } from '../support/config-api.ts';
import { eventOf } from '../support/engine.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { HOSTILE_CONDITIONS, HOSTILE_PLANS } from '../support/hostile-definitions.ts';
import { judge } from '../support/tracking.ts';
import { createUnknownKeys } from '../../losses/unknown-keys.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const [CONDITION = '', EVENT = eventOf(0)] = HOSTILE_CONDITIONS['many patterns'] ?? [];
const TIME = '2026-11-20T12:00:00.000Z';

function chain(condition: string, ...actions: FilterAction[]) {
  const { undecided } = newEvaluation();
  const filter: Filter = { name: 'f', title: '', description: '', if: condition, actions, enabled: true };
  const one = { filter, condition: parse(condition), ...readActions(filter) };
  return { undecided, ...chainOf([one], undecided) };
}

test.each<FilterAction>([{ type: 'drop_event' }, { type: 'sample_event', percent: 1 }])(
  'SAFE-2: an event goes nowhere where it is undecided whether %j acts, and is counted',
  (action) => {
    const { admits, undecided } = chain(CONDITION, action);
    expect(admits?.(EVENT, new Budget())).toBe(false);
    expect(undecided.of('f')).toEqual({ count: 1, lastTime: EVENT.receivedAt });
    // Twin: the same action, decided.
    const decided = chain('event = "Other"', action);
    expect(decided.admits?.(EVENT, new Budget())).toBe(true);
    expect(decided.undecided.of('f')).toBeUndefined();
    // Nothing is looked at once more for what the destination gets.
    expect(decided.reshape).toBeUndefined();
  },
);

const LISTS = { fields: { properties: { fields: ['y'] } } };

test('SAFE-2: fields that might have to be left out are', () => {
  const event = { ...EVENT, properties: { ...EVENT.properties, y: 1, z: 2 } };
  const { reshape, undecided, admits } = chain(CONDITION, { type: 'blacklist_fields', ...LISTS });
  // The condition has used up what sorting out the fields would take: nothing of the group is sent.
  expect(reshape?.(event, new Budget()).properties).toEqual({});
  expect([undecided.of('f')?.count, admits]).toEqual([2, undefined]);
  const decided = chain('event = "Other"', { type: 'blacklist_fields', ...LISTS });
  expect(decided.reshape?.(event, new Budget())).toEqual(event);
  expect(decided.undecided.of('f')).toBeUndefined();
});

test('SAFE-2: fields that cannot be sorted out in time are left out of the groups that an event has', () => {
  const action: FilterAction = {
    type: 'blacklist_fields',
    fields: { properties: { fields: ['y'] }, traits: { fields: ['z'] } },
  };
  const shaped = chain(CONDITION, action).reshape?.(
    { ...EVENT, properties: { ...EVENT.properties, y: 1 } },
    new Budget(),
  );
  expect(shaped?.properties).toEqual({});
  expect(shaped).not.toHaveProperty('traits');
});

test('SAFE-2: what filters leave undecided counts as theirs', () => {
  const noted: unknown[] = [];
  const filter: Filter = { name: 'f', title: '', description: '', if: '', actions: [], enabled: true };
  const one = { filter, condition: parse(CONDITION), ...readActions({ ...filter, actions: [{ type: 'drop_event' }] }) };
  chainOf([one], { add: (...what) => void noted.push(what) }).admits?.(EVENT, new Budget());
  expect(noted).toEqual([['filter', 'f', EVENT.receivedAt]]);
});

test('SAFE-2: each item of a list that a path leads into takes a step', () => {
  const body = { list: Array.from({ length: 5_000 }, () => 1) };
  for (const change of [withoutListed, onlyListed]) {
    const budget = new Budget();
    change(body, readPaths(['list.name']), budget, 'lists too');
    expect(budget.used).toBeGreaterThanOrEqual(5_000);
    change(body, readPaths(['list']), budget, 'lists too');
    expect(budget.used).toBeLessThan(6_000);
  }
});

const [RULES = {}, SLOW = EVENT] = HOSTILE_PLANS['many alternatives'] ?? [];

test.each<[string, Partial<SchemaSettings>, unknown]>([
  ['passes where violations are let through', {}, { event: SLOW }],
  [
    'loses all its properties where violations are left out',
    { allow_track_properties_on_violations: false },
    { event: { ...SLOW, properties: {} } },
  ],
  [
    'is blocked where violations block',
    { allow_track_event_on_violations: false },
    { event: SLOW, blocked: 'schema_violation' },
  ],
  [
    'is blocked where violations of the rule for all events block',
    { common_track_event_on_violations: 'BLOCK' },
    { event: SLOW, blocked: 'common_schema_violation' },
  ],
])('SAFE-2: an event that cannot be held to its plan in time %s', (_what, settings, expected) => {
  const verdict = judge(SLOW, RULES, settings);
  expect(verdict).toMatchObject({ isUndecided: true, ...Object(expected) });
  expect(verdict.violations[0]).toMatchObject({
    kind: 'rule_violated',
    message: 'could not be checked within the evaluation budget',
  });
});

test('SAFE-2: what could not be decided is read where the definition is, and changes no entity tag', async () => {
  const api = await startConfigApi();
  const destination = await withWebhooks(api);
  const made = await api.ok('POST', `/${destination}/filters`, { filter: { if: 'all' } });
  const plan = await api.ok('POST', '/workspaces/main/tracking-plans', { tracking_plan: { display_name: 'Shop' } });
  const [shown, stored] = [String(made['name']), `${destination}/filters/${String(made['name']).split('/').at(-1)}`];
  const before = await api.call('GET', `/${shown}`);
  expect(before.body).not.toHaveProperty('undecided_count');
  api.undecided.add('filter', stored, TIME);
  api.undecided.add('filter', stored, TIME);
  api.undecided.add('tracking_plan', String(plan['name']), TIME);
  const after = await api.call('GET', `/${shown}`);
  expect(after.body).toEqual({ ...before.body, undecided_count: 2, last_undecided_time: TIME });
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  const list = await api.ok('GET', `/${destination}/filters`);
  expect(list).toMatchObject({ filters: [{ undecided_count: 2 }] });
  expect(await api.ok('GET', `/${String(plan['name'])}`)).toMatchObject({
    undecided_count: 1,
    last_undecided_time: TIME,
  });
});

test.each<['audience' | 'computed_trait', string, object]>([
  ['audience', 'audiences', { events: { where: 'all' } }],
  ['computed_trait', 'computed-traits', { counter: { where: 'all' } }],
])('SAFE-2: events that a %s could not decide about are read where it is', async (kind, plural, definition) => {
  const api = await startConfigApi();
  const path = `/workspaces/main/${plural}`;
  const made = await api.ok('POST', path, { [kind]: { display_name: 'Shop', definition } });
  expect(made).not.toHaveProperty('undecided_count');
  api.undecided.add(kind, String(made['name']), TIME, 3);
  const counted = { undecided_count: 3, last_undecided_time: TIME };
  expect(await api.ok('GET', `/${String(made['name'])}`)).toEqual({ ...made, ...counted });
  expect(await api.ok('GET', path)).toMatchObject({ [plural.replace('-', '_')]: [counted] });
});

test('SAFE-2: operators see how often nothing could be decided', async () => {
  const instruments = createInstruments();
  const { undecided } = newEvaluation();
  const unknownKeys = createUnknownKeys({
    clock: { now: () => 0 },
    log: new RecordingLog(),
  });
  const kept = { dropped: createDroppedEvents(), violations: createViolations(), unknownKeys, undecided };
  const losses = { ...kept, accepted: createAcceptedEvents(), traffic: createTraffic({ now: () => 0 }) };
  const measured = measuredLosses(losses, instruments).undecided;
  measured.add('filter', 'f', TIME);
  expect(await instruments.registry.metrics()).toContain('waybill_evaluations_undecided_total{definition="filter"} 1');
  expect(undecided.of('f')?.count).toBe(1);
});

test('SAFE-2, CFG-14: a filter whose actions are too large is refused', async () => {
  const api = await startConfigApi();
  const destination = await withWebhooks(api);
  const names = Array.from({ length: 10_000 }, (_, at) => `field_${at}`);
  const actions = [{ type: 'blacklist_fields', fields: { properties: { fields: names } } }];
  const answer = await api.call('POST', `/${destination}/filters`, { filter: { if: 'all', actions } });
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
  expect(answer.body['error']).toMatch(/filter\.actions have \d+ bytes/);
});
