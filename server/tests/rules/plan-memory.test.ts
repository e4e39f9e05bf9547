import { expect, test } from 'vitest';
import { createPlans } from '../../tracking/plans.ts';
import { createViolations } from '../../losses/violations.ts';
import { foundIn, orderPlan, PLAN, planWith } from '../support/tracking.ts';

const SOURCE = 'workspaces/main/sources/js';
const RULES = orderPlan({ required: ['id'], properties: { id: {} } });

function of(event: string) {
  return { kind: 'unplanned_event', type: 'track', event } as const;
}

test('D-46: a plan is compiled once for as long as its rules are the same', () => {
  const plans = createPlans();
  const stored = planWith(RULES);
  const plan = plans.of(stored);
  expect(plans.of({ ...stored, display_name: 'renamed', rules: structuredClone(stored.rules) })).toBe(plan);
  expect(plans.of(planWith(orderPlan({})))).not.toBe(plan);
});

test('D-46: the plans that were used last are kept, and one however large', () => {
  const plans = createPlans(12);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => planWith(RULES, name));
  const large = planWith({ events: Array.from({ length: 50 }, (_, at) => ({ name: `E${at}` })) }, 'large');
  if (a === undefined || b === undefined || c === undefined) throw new Error('three plans were made');
  const [first, second] = [plans.of(a), plans.of(b)];
  expect(plans.of(a)).toBe(first);
  const third = plans.of(c);
  expect([plans.of(c) === third, plans.of(a) === first, plans.of(b) === second]).toEqual([true, true, true]);
  const kept = plans.of(large);
  expect(plans.of(large)).toBe(kept);
  expect(plans.of(a)).not.toBe(first);
});

test('D-46: counts name so many events of a source, and the others together', () => {
  const violations = createViolations();
  const rest = { action: 'allowed', message: '', plan: PLAN, messageId: 'm', receivedAt: '' } as const;
  violations.add(SOURCE, ...foundIn(Array.from({ length: 1_200 }, (_, at) => ({ ...of(`E${at}`), ...rest }))));
  violations.add(
    SOURCE,
    ...foundIn([
      { ...of('E1'), ...rest },
      { ...of('new'), ...rest },
    ]),
  );
  const counts = violations.countsOf(SOURCE);
  expect(counts).toHaveLength(1_001);
  expect(counts.find(({ event }) => event === 'E1')).toEqual({ ...of('E1'), count: 2 });
  expect(counts.at(-1)).toEqual({ kind: 'unplanned_event', type: 'track', count: 201 });
  expect([violations.lastOf(SOURCE).length, violations.lastOf(SOURCE)[0]?.event]).toEqual([100, 'new']);
  expect(violations.lastOf('workspaces/main/sources/none')).toEqual([]);
});
