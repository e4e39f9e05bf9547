import { expect, test } from 'vitest';
import { callOf, GOOD, judge, ofGroup, ORDER, orderPlan, told, trackOf } from '../support/tracking.ts';

const BLOCK = { allow_track_event_on_violations: false };

test('D-46: an event as planned passes as the very same event', () => {
  const event = trackOf(GOOD);
  const verdict = judge(event, orderPlan(ORDER), { ...BLOCK, allow_unplanned_track_event_properties: false });
  expect(verdict).toEqual({ event, violations: [], isUndecided: false });
  expect(verdict.event).toBe(event);
});

test.each([
  ['required_missing properties.order_id', { total: 5 }],
  ['type_mismatch properties.total', { ...GOOD, total: '5' }],
  ['value_not_allowed properties.order_id', { ...GOOD, order_id: 'x' }],
  ['value_not_allowed properties.total', { ...GOOD, total: -1 }],
  ['type_mismatch properties.products[1].sku', { ...GOOD, products: [{ sku: 'a' }, { sku: 1 }] }],
  ['unplanned_property properties.coupon', { ...GOOD, coupon: 'c' }],
  ['unplanned_property properties.products[0].color', { ...GOOD, products: [{ sku: 'a', color: 'red' }] }],
])('D-46: %s is told, and the event passes', (violation, properties) => {
  const event = trackOf(properties);
  const verdict = judge(event, orderPlan(ORDER));
  expect(told(verdict)).toEqual([`${violation} allowed`]);
  expect(verdict.event).toBe(event);
  expect(verdict.blocked).toBeUndefined();
});

test('D-46: every violation of an event is told once', () => {
  const verdict = judge(trackOf({ total: '5', a: 1, b: 2 }), orderPlan({ ...ORDER, additionalProperties: false }));
  expect(told(verdict).toSorted()).toEqual([
    'required_missing properties.order_id allowed',
    'type_mismatch properties.total allowed',
    'unplanned_property properties.a allowed',
    'unplanned_property properties.b allowed',
  ]);
});

test('D-46: a call without properties misses those that are asked for', () => {
  expect(told(judge(trackOf(undefined), orderPlan(ORDER)))).toEqual(['required_missing properties.order_id allowed']);
});

test('D-46: the rule for all events sees what their own rule left', () => {
  const common = { global: ofGroup('properties', { properties: { coupon: false } }) };
  const settings = {
    allow_unplanned_track_event_properties: false,
    common_track_event_on_violations: 'BLOCK',
  } as const;
  const event = trackOf({ ...GOOD, coupon: 'c' });
  expect(judge(event, orderPlan(ORDER, common), settings).event).toEqual(trackOf(GOOD));
  expect(judge(event, orderPlan(ORDER, common), { common_track_event_on_violations: 'BLOCK' }).blocked).toBe(
    'common_schema_violation',
  );
});

test('D-46: the rule for all events may speak of the whole event', () => {
  const global = { type: 'object', required: ['anonymousId'], properties: { context: { required: ['app'] } } };
  expect(told(judge(trackOf(GOOD), { global }))).toEqual([
    'required_missing anonymousId allowed',
    'required_missing context.app allowed',
  ]);
});

test.each([
  [undefined, '1'],
  [2, '2'],
  [3, '1'],
  ['2', '1'],
])('D-46: an event of version %s is held to version %s', (version, held) => {
  const events = [2, 1].map((one) => ({
    name: 'Order',
    version: one,
    rules: ofGroup('properties', { required: [`of version ${one}`] }),
  }));
  const event = trackOf({}, { context: { protocols: { event_version: version } } });
  expect(told(judge(event, { events }))).toEqual([`required_missing properties.of version ${held} allowed`]);
});

test.each([
  ['page', 'Page Viewed'],
  ['screen', 'Screen Viewed'],
] as const)('D-46: a %s is held to the event %s, and never blocked', (type, name) => {
  const { event: _event, ...call } = trackOf({});
  const rules = { events: [{ name, rules: ofGroup('properties', { required: ['url'] }) }] };
  const all = { ...BLOCK, allow_unplanned_track_events: false, common_track_event_on_violations: 'BLOCK' } as const;
  const verdict = judge({ ...call, type }, rules, all);
  expect([verdict.blocked, told(verdict)]).toEqual([undefined, ['required_missing properties.url allowed']]);
  expect(told(judge({ ...call, type }, { events: [] }, all))).toEqual([]);
});

test('D-46: a plan that says nothing finds nothing, unless the settings ask for a list', () => {
  const [order, user] = [trackOf({ a: 1 }), callOf('identify', { a: 1 })];
  for (const rules of [{}, { events: [], identify: {}, global: {}, identify_traits: null }]) {
    expect([...told(judge(order, rules)), ...told(judge(user, rules))]).toEqual([]);
    expect(judge(order, rules, { allow_unplanned_track_events: false }).blocked).toBe('unplanned');
    expect(judge(user, rules, { allow_unplanned_identify_traits: false }).event).toEqual(callOf('identify', {}));
  }
});

test('D-46: a rule that cannot be used costs no event, and the others hold', () => {
  const bad = { pattern: '(?=a)' };
  const rules = orderPlan(ORDER, { global: bad, identify: bad });
  const strict = {
    ...BLOCK,
    common_track_event_on_violations: 'BLOCK',
    allow_unplanned_identify_traits: false,
  } as const;
  const verdict = judge(trackOf(GOOD), rules, strict);
  expect([verdict.blocked, told(verdict)]).toEqual([undefined, ['plan_unusable - allowed']]);
  expect(verdict.violations[0]?.message).toContain('rules.global.pattern has look-around');
  expect(judge(trackOf({}), rules, strict).blocked).toBe('schema_violation');
  const user = callOf('identify', { a: 1 });
  expect(judge(user, rules, strict).event).toBe(user);
});

test('D-46: what a violation says never holds what the event holds', () => {
  const secret = 'hunter2-hunter2';
  const rules = orderPlan({
    properties: { a: { const: 1 }, b: { pattern: '^x' }, c: { enum: ['y'] }, d: { format: 'email' } },
  });
  const { violations } = judge(trackOf({ a: secret, b: secret, c: secret, d: secret, e: secret }), rules);
  expect(violations).toHaveLength(5);
  expect(JSON.stringify(violations)).not.toContain('hunter2');
});

test('D-46: no more than twenty violations of one event are told', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, at]));
  const verdict = judge(trackOf(many), orderPlan(ORDER), { allow_unplanned_track_event_properties: false });
  expect(verdict.violations).toHaveLength(20);
  expect(verdict.event.properties).toEqual({});
});
