import { expect, test } from 'vitest';
import { createPlans } from '../../tracking/plans.ts';
import { createViolations } from '../../losses/violations.ts';
import { foundIn, orderPlan, PLAN, planWith, trackOf } from '../support/tracking.ts';
import type { TrackingPlan } from '../../model/resources.ts';

const SOURCE = 'workspaces/main/sources/js';
const RULES = orderPlan({ required: ['id'], properties: { id: {} } });
const ORDER = trackOf({});

function of(event: string) {
  return { kind: 'unplanned_event', type: 'track', event } as const;
}

test('D-46: a plan is read once for as long as it is the same, and each of its rules made ready once', () => {
  const plans = createPlans();
  const stored = planWith(RULES);
  const plan = plans.of(stored);
  expect(plans.of(stored)).toBe(plan);
  expect(plans.of(planWith(RULES))).not.toBe(plan);
  expect(plan.event(ORDER)?.use()).toBe(plan.event(ORDER)?.use());
});

/** A plan whose one rule comes to some thousand values. */
function heavyPlan(name: string): TrackingPlan {
  const rule = {
    definitions: { a: { enum: [1, 2, 3, 4, 5, 6] } },
    allOf: Array.from({ length: 400 }, () => REFERENCE),
  };
  return planWith({ events: [{ name: 'Order', rules: rule }] }, name);
}
const REFERENCE = { $ref: '#/definitions/a' };

test('SAFE-2: rules stay ready while there is room; then the workspace that has most gives up what it used longest ago', () => {
  const plans = createPlans(10_000);
  const rulesOf = (workspace: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      plans.of(heavyPlan(`workspaces/${workspace}/tracking-plans/${at}`)).event(ORDER),
    );
  const [[own], others] = [rulesOf('own', 1), rulesOf('others', 8)];
  const [before, first] = [own?.use(), others[0]?.use()];
  for (const rule of others) rule?.use();
  expect(own?.use()).toBe(before);
  expect(others[0]?.use()).not.toBe(first);
  expect(others[7]?.use()).toBe(others[7]?.use());
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
