import type { Resources } from '../../ports/config-store.ts';
import { asIs, matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { trackingPlanName, workspaceName } from '../resource-name.ts';
import { found, requireCreated } from '../store-answers.ts';
import { readMask } from '../update-mask.ts';
import { requireParent, requireVisible } from '../visible.ts';
import { changeTrackingPlan, checkedRules, EMPTIES, makeTrackingPlan, shownTrackingPlan } from './resource.ts';

type TrackingPlan = Resources['tracking-plans'];

type TrackingPlanHandlers = Pick<
  ConfigHandlers,
  | 'listTrackingPlans'
  | 'createTrackingPlan'
  | 'getTrackingPlan'
  | 'updateTrackingPlan'
  | 'replaceTrackingPlan'
  | 'deleteTrackingPlan'
>;

export function trackingPlanHandlers({ store, clock }: Env): TrackingPlanHandlers {
  const updateTrackingPlan: ConfigHandlers['updateTrackingPlan'] = async ({ path, header, body, caller }) => {
    const masks = [body.update_mask, body.tracking_plan?.update_mask];
    const paths = readMask({ key: 'tracking_plan', masks, empties: EMPTIES });
    checkedRules(body.tracking_plan?.rules, paths);
    const name = requireVisible(caller, trackingPlanName(path));
    const now = clock.now();
    const change = (current: TrackingPlan): TrackingPlan => changeTrackingPlan(current, body, paths, now);
    const changed = await store.update('tracking-plans', name, matching(header, change, shownTrackingPlan));
    return shownTrackingPlan(found(changed, name));
  };

  return {
    updateTrackingPlan,
    // D-4: most clients of this API say PUT and mean PATCH.
    replaceTrackingPlan: updateTrackingPlan,

    async listTrackingPlans({ path, query, caller }) {
      const parent = await requireParent(store, 'workspaces', caller, workspaceName(path));
      const { items, next_page_token } = await listPage(store, { kind: 'tracking-plans', parent, query });
      return { tracking_plans: items.map(shownTrackingPlan), next_page_token };
    },

    async createTrackingPlan({ path, body, caller }) {
      const plan = makeTrackingPlan(body, workspaceName(path), clock.now());
      requireVisible(caller, plan.name);
      requireCreated(await store.create('tracking-plans', plan), 'tracking-plans', plan.name);
      return shownTrackingPlan(plan);
    },

    async getTrackingPlan({ path, caller }) {
      const name = requireVisible(caller, trackingPlanName(path));
      return shownTrackingPlan(found(await store.get('tracking-plans', name), name));
    },

    async deleteTrackingPlan({ path, header, caller }) {
      const name = requireVisible(caller, trackingPlanName(path));
      const check = matching(header, asIs, shownTrackingPlan);
      found((await store.remove('tracking-plans', name, check)) || undefined, name);
      return {};
    },
  };
}
