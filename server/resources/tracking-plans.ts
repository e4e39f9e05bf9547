import type { components } from '../../generated/config-api.d.ts';
import { inSlices, type Turns, turnsOf } from '../fairness/turns.ts';
import { ApiError } from '../http/errors.ts';
import { refuseDeepNesting } from '../http/validation.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { TrackingPlan } from '../model/resources.ts';
import { checkRules, SINGLE_RULES } from '../tracking/plan-rules.ts';
import { SchemaFault } from '../tracking/schema-fault.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { editing, methodsOf, seconds } from './kit.ts';
import { NewNames } from './new-names.ts';
import { undecidedFields } from './undecided-fields.ts';
import type { EmptyValues } from './update-mask.ts';

type Schemas = components['schemas'];
type NewPlan = Schemas['CreateTrackingPlan']['tracking_plan'];
type Changes = NonNullable<Schemas['UpdateTrackingPlan']['tracking_plan']>;

const EMPTIES: EmptyValues = {
  display_name: '',
  rules: {},
  'rules.events': [],
  'rules.global': {},
  'rules.identify': {},
  'rules.group': {},
  'rules.identify_traits': [],
  'rules.group_traits': [],
};

export function trackingPlanHandlers({ store, clock, newNames = new NewNames(), turns, losses }: Env) {
  const { list, create, get, update, remove } = methodsOf(store, {
    kind: 'tracking-plans',
    key: 'tracking_plan',
    plural: 'tracking_plans',
    empties: EMPTIES,
    async make(wanted: NewPlan, parent) {
      await checkPlanRules(wanted.rules, turnsOf(turns, parent));
      return makeTrackingPlan(wanted, `${parent}/tracking-plans/${newNames.prefixed('rs')}`, clock.now());
    },
    show: shownOnce(shownTrackingPlan),
    more: (names) => undecidedFields(names, losses),
    async edit(changes: Changes = {}, paths, name) {
      await checkPlanRules(changes.rules, turnsOf(turns, workspaceOf(name)), paths);
      const [edit, update_time] = [editing<TrackingPlan>(changes, paths, EMPTIES), seconds(clock.now())];
      return (plan) => ({ ...edit(plan), update_time });
    },
  });
  return {
    listTrackingPlans: list,
    createTrackingPlan: create,
    getTrackingPlan: get,
    updateTrackingPlan: update,
    // D-4: most clients of this API say PUT and mean PATCH.
    replaceTrackingPlan: update,
    deleteTrackingPlan: remove,
  } satisfies Partial<ConfigHandlers>;
}

/** The id is generated and says nothing about the plan, so that a renamed plan keeps its name (CFG-4). */
function makeTrackingPlan({ display_name, rules = {} }: NewPlan, name: string, now: number): TrackingPlan {
  const time = seconds(now);
  return { name, display_name, rules, create_time: time, update_time: time };
}

/** Rules are kept verbatim, once each of them is one that events can be held to. A large plan is checked in slices. */
async function checkPlanRules(
  rules: Schemas['TrackingPlanRules'] | undefined,
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

/** With `events`, also when the rules that were sent had none. */
function shownTrackingPlan(plan: TrackingPlan): Schemas['TrackingPlan'] {
  const events = plan.rules['events'] ?? [];
  return { ...plan, rules: { ...plan.rules, events } };
}
