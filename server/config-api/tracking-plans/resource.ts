import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';
import type { Resources } from '../../ports/config-store.ts';
import { newPlanId } from '../identifiers.ts';
import { refuseDeepNesting } from '../nesting.ts';
import { seconds } from '../times.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';

type Schemas = components['schemas'];
type TrackingPlan = Resources['tracking-plans'];
type Rules = Schemas['TrackingPlanRules'];

export const EMPTIES: EmptyValues = {
  display_name: '',
  rules: {},
  'rules.events': [],
  'rules.global': {},
  'rules.identify': {},
  'rules.group': {},
  'rules.identify_traits': [],
  'rules.group_traits': [],
};

/** The id is generated and says nothing about the plan, so that a renamed plan keeps its name (CFG-4). */
export function makeTrackingPlan(
  { tracking_plan: plan }: Schemas['CreateTrackingPlan'],
  parent: string,
  now: number,
): TrackingPlan {
  return {
    name: `${parent}/tracking-plans/${newPlanId()}`,
    display_name: plan.display_name,
    rules: checkedRules(plan.rules) ?? {},
    create_time: seconds(now),
    update_time: seconds(now),
  };
}

export function changeTrackingPlan(
  current: TrackingPlan,
  { tracking_plan: plan = {} }: Schemas['UpdateTrackingPlan'],
  paths: readonly string[],
  now: number,
): TrackingPlan {
  if (paths.length === 0) return current;
  return { ...applyMask(current, { values: plan, paths, empties: EMPTIES }), update_time: seconds(now) };
}

/** Rules are kept verbatim; readers rely on `events` alone, and on its being a list. */
export function checkedRules(rules: Rules | undefined): Rules | undefined {
  const events = rules?.['events'] ?? [];
  if (!Array.isArray(events)) throw new ApiError('InvalidArgument', 'tracking_plan.rules.events must be array');
  refuseDeepNesting(rules, 'tracking_plan.rules');
  return rules;
}

/** As it is answered: with `events`, also when the rules that were sent had none. */
export function shownTrackingPlan(plan: TrackingPlan): TrackingPlan {
  const events = plan.rules['events'] ?? [];
  return { ...plan, rules: { ...plan.rules, events } };
}
