import { Semaphore } from '../fairness/semaphore.ts';
import { SharedCache } from '../fairness/shared-cache.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Resources } from '../model/resources.ts';
import { KEPT_WEIGHT } from './limits.ts';
import { createPlan, type KeptRules, type MadeRule, type Plan, type Rule } from './plan.ts';

type TrackingPlan = Resources['tracking-plans'];

/** Plans as they are used. */
export interface Plans {
  /** Of a plan as it stands in the store at this moment, so that a change holds for the next event (D-13). */
  of(stored: TrackingPlan): Plan;
}

/** Rules that are made ready at once: what each takes until it is ready is in no cache yet. */
const MADE_AT_ONCE = 4;

/**
 * A plan is read once for each of its versions, which never change and are forgotten with them. Its rules are made ready when they
 * are used, and stay so as long as there is room: a rule of a few KB can come to a megabyte.
 */
export function createPlans(most = KEPT_WEIGHT): Plans {
  const plans = new WeakMap<TrackingPlan, Plan>();
  const rules = new SharedCache<Rule, MadeRule>(most);
  const making = new Semaphore(MADE_AT_ONCE);
  const keptOf = (workspace: string): KeptRules => ({
    get: (rule) => rules.get(workspace, rule),
    put: (rule, made, weight) => rules.put(workspace, rule, made, weight),
    make: (work) => making.run(work, workspace),
  });
  return {
    of(stored) {
      const known = plans.get(stored);
      if (known !== undefined) return known;
      const plan = createPlan(stored, keptOf(workspaceOf(stored.name)));
      plans.set(stored, plan);
      return plan;
    },
  };
}
