import type { Resources, SchemaSettings } from '../../model/resources.ts';
import type { Event } from '../../model/message.ts';
import type { Violation, ViolationCount } from '../../losses/violations.ts';
import { enforce, type Verdict } from '../../tracking/enforce.ts';
import { createPlans } from '../../tracking/plans.ts';
import { createFound } from '../../tracking/found.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { Budget } from '../../evaluation/budget.ts';

export const PLAN = `workspaces/main/tracking-plans/rs_${'p'.repeat(27)}`;
const TIME = '2026-11-20T12:00:00.000Z';

export function planWith(rules: object, name = PLAN): Resources['tracking-plans'] {
  return { name, display_name: 'Shop', rules: { ...rules }, create_time: TIME, update_time: TIME };
}

/** A schema of a whole event that says something of one group of it. */
export function ofGroup(group: 'properties' | 'traits', schema: object): object {
  return { type: 'object', properties: { [group]: { type: 'object', ...schema } } };
}

/** A plan with one event, Order, and what its properties must be. */
export function orderPlan(schema: object, others: object = {}): object {
  return { events: [{ name: 'Order', rules: ofGroup('properties', schema) }], ...others };
}

export function trackOf(properties: object | undefined, fields: Partial<Event> = {}): Event {
  const given = properties === undefined ? {} : { properties: { ...properties } };
  const times = { timestamp: TIME, receivedAt: TIME };
  return { type: 'track', messageId: 'm1', userId: 'u', event: 'Order', ...given, context: {}, ...times, ...fields };
}

export function callOf(type: 'identify' | 'group', traits: object): Event {
  const times = { timestamp: TIME, receivedAt: TIME };
  const group = type === 'group' ? { groupId: 'g' } : {};
  return { type, messageId: 'm1', userId: 'u', ...group, traits: { ...traits }, context: {}, ...times };
}

/** What becomes of an event by a plan with these rules, and settings that let all through but for these. */
export function judge(event: Event, rules: object, settings: Partial<SchemaSettings> = {}): Verdict {
  return enforce(event, createPlans().of(planWith(rules)), { ...LET_THROUGH, ...settings }, new Budget());
}

/** Each violation in one line: kind, field and action. */
export function told({ violations }: Verdict): string[] {
  return violations.map(({ kind, field = '-', action }) => `${kind} ${field} ${action}`);
}

/** What the properties of an order must be: two of them, one asked for, and a list of products. */
export const ORDER = {
  properties: {
    order_id: { type: 'string', pattern: '^o-[0-9]+$' },
    total: { type: 'number', minimum: 0 },
    products: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
  required: ['order_id'],
};
export const GOOD = { order_id: 'o-1', total: 5, products: [{ sku: 'a' }] };

/** Violations as one request hands them on: their counts, and the last of them. */
export function foundIn(violations: readonly Violation[]): [readonly ViolationCount[], readonly Violation[]] {
  const found = createFound();
  found.add(violations);
  return [found.counts(), found.last];
}
