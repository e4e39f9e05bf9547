import { expect, test } from 'vitest';
import { callOf, GOOD, judge, ofGroup, ORDER, orderPlan, told, trackOf } from '../support/tracking.ts';

const BLOCK = { allow_track_event_on_violations: false };
const OMIT = { allow_track_properties_on_violations: false };

test('D-47: allow_unplanned_track_events false blocks what the plan does not list', () => {
  const other = trackOf(GOOD, { event: 'order' });
  const kept = judge(other, orderPlan(ORDER));
  expect([kept.blocked, told(kept)]).toEqual([undefined, ['unplanned_event event allowed']]);
  const lost = judge(other, orderPlan(ORDER), { allow_unplanned_track_events: false });
  expect([lost.blocked, told(lost)]).toEqual(['unplanned', ['unplanned_event event blocked']]);
  expect(judge(trackOf(GOOD), orderPlan(ORDER), { allow_unplanned_track_events: false }).blocked).toBeUndefined();
});

test('D-47: allow_unplanned_track_event_properties false leaves out what the rule does not list', () => {
  const event = trackOf({ ...GOOD, coupon: 'c', products: [{ sku: 'a', color: 'red' }] });
  const verdict = judge(event, orderPlan(ORDER), { allow_unplanned_track_event_properties: false });
  expect(verdict.event).toEqual(trackOf(GOOD));
  expect(told(verdict).toSorted()).toEqual([
    'unplanned_property properties.coupon omitted',
    'unplanned_property properties.products[0].color omitted',
  ]);
});

test('D-47: allow_track_event_on_violations false blocks what violates its rule', () => {
  const verdict = judge(trackOf({ ...GOOD, total: '5' }), orderPlan(ORDER), BLOCK);
  expect([verdict.blocked, told(verdict)]).toEqual(['schema_violation', ['type_mismatch properties.total blocked']]);
  expect(judge(trackOf({ ...GOOD, coupon: 1 }), orderPlan(ORDER), BLOCK).blocked).toBeUndefined();
});

test('D-47: allow_track_properties_on_violations false leaves out what violates its rule', () => {
  const verdict = judge(trackOf({ order_id: 'x', total: '5', other: 1 }), orderPlan(ORDER), OMIT);
  expect(verdict.event).toEqual(trackOf({ other: 1 }));
  expect(told(verdict).toSorted()).toEqual([
    'type_mismatch properties.total omitted',
    'unplanned_property properties.other allowed',
    'value_not_allowed properties.order_id omitted',
  ]);
});

test('D-47: what is missing cannot be left out, and the event passes', () => {
  const verdict = judge(trackOf({ total: 5 }), orderPlan(ORDER), OMIT);
  expect([verdict.blocked, told(verdict)]).toEqual([undefined, ['required_missing properties.order_id allowed']]);
});

test('D-47: an item that is wrong goes with its list, a field of it alone', () => {
  const rules = orderPlan({ properties: { tags: { items: { type: 'string' } }, products: ORDER.properties.products } });
  const event = trackOf({ tags: ['a', 1], products: [{ sku: 1 }, { sku: 'b' }] });
  expect(judge(event, rules, OMIT).event).toEqual(trackOf({ products: [{}, { sku: 'b' }] }));
});

test.each([
  ['identify', 'allow_unplanned_identify_traits', 'allow_identify_traits_on_violations'],
  ['group', 'allow_unplanned_group_traits', 'allow_group_traits_on_violations'],
] as const)('D-47: the two switches of %s leave traits out', (type, unplanned, violated) => {
  const rules = { [type]: ofGroup('traits', { properties: { age: { type: 'number' } } }) };
  const call = callOf(type, { age: '5', name: 'n' });
  expect(told(judge(call, rules))).toEqual(['unplanned_trait traits.name allowed', 'type_mismatch traits.age allowed']);
  expect(judge(call, rules).event).toBe(call);
  expect(judge(call, rules, { [unplanned]: false }).event).toEqual(callOf(type, { age: '5' }));
  expect(judge(call, rules, { [violated]: false }).event).toEqual(callOf(type, { name: 'n' }));
});

const COMMON = [
  ['track', 'common_track_event_on_violations', 'OMIT_PROPERTIES'],
  ['identify', 'common_identify_event_on_violations', 'OMIT_TRAITS'],
  ['group', 'common_group_event_on_violations', 'OMIT_TRAITS'],
] as const;

test.each(COMMON)('D-47: the rule for all %s calls allows, leaves out or blocks', (type, field, omitting) => {
  const group = type === 'track' ? 'properties' : 'traits';
  const call = (fields: object) => (type === 'track' ? trackOf(fields) : callOf(type, fields));
  const rules = { global: ofGroup(group, { properties: { age: { type: 'number' } } }) };
  const event = call({ age: 'x', b: 1 });
  expect(judge(event, rules).event).toBe(event);
  expect(told(judge(event, rules))).toEqual([`type_mismatch ${group}.age allowed`]);
  expect(judge(event, rules, { [field]: omitting }).event).toEqual(call({ b: 1 }));
  expect(judge(event, rules, { [field]: 'BLOCK' }).blocked).toBe('common_schema_violation');
  expect(judge(call({ age: 1 }), rules, { [field]: 'BLOCK' }).blocked).toBeUndefined();
});
