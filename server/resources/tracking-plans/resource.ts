import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';
import type { Resources } from '../../storage/config-store.ts';
import { inSlices, type Turns } from '../../evaluation/turns.ts';
import { checkRules, SINGLE_RULES } from '../../tracking/plan-rules.ts';
import { SchemaFault } from '../../tracking/schema-fault.ts';
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
    rules: plan.rules ?? {},
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

/** Rules are kept verbatim, once each of them is one that events can be held to. A large plan is checked in slices. */
export async function checkPlanRules(
  rules: Rules | undefined,
  turns: Turns,
  paths: readonly string[] = ['rules'],
): Promise<void> {
  if (rules === undefined) return;
  refuseDeepNesting(rules, 'tracking_plan.rules');
  const groups = ['events', ...SINGLE_RULES].filter(
    (group) => paths.includes('rules') || paths.includes(`rules.${group}`),
  );
  try {
    await inSlices(turns, checkRules(rules, groups));
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    throw new ApiError('InvalidArgument', `tracking_plan.${error.message}`, { cause: error });
  }
}

/** As it is answered: with `events`, also when the rules that were sent had none. */
export function shownTrackingPlan(plan: TrackingPlan): TrackingPlan {
  const events = plan.rules['events'] ?? [];
  return { ...plan, rules: { ...plan.rules, events } };
}
