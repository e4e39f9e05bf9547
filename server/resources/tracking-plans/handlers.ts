import type { Resources } from '../../storage/config-store.ts';
import { asIs, matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { trackingPlanName, workspaceName } from '../resource-name.ts';
import { found, requireCreated } from '../store-answers.ts';
import { withUndecided } from '../undecided-fields.ts';
import { readMask } from '../update-mask.ts';
import { requireParent, requireVisible, requireWorkspaceOf } from '../visible.ts';
import { changeTrackingPlan, checkPlanRules, EMPTIES, makeTrackingPlan, shownTrackingPlan } from './resource.ts';

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

export function trackingPlanHandlers({ store, clock, turns, undecided }: Env): TrackingPlanHandlers {
  const answered = (plan: TrackingPlan): ReturnType<typeof shownTrackingPlan> =>
    withUndecided(shownTrackingPlan(plan), plan.name, undecided);

  const updateTrackingPlan: ConfigHandlers['updateTrackingPlan'] = async ({ path, header, body, caller }) => {
    const masks = [body.update_mask, body.tracking_plan?.update_mask];
    const paths = readMask({ key: 'tracking_plan', masks, empties: EMPTIES });
    await checkPlanRules(body.tracking_plan?.rules, turns, paths);
    const name = requireVisible(caller, trackingPlanName(path));
    const now = clock.now();
    const change = (current: TrackingPlan): TrackingPlan => changeTrackingPlan(current, body, paths, now);
    const changed = await store.update('tracking-plans', name, matching(header, change, shownTrackingPlan));
    return answered(found(changed, name));
  };

  return {
    updateTrackingPlan,
    // D-4: most clients of this API say PUT and mean PATCH.
    replaceTrackingPlan: updateTrackingPlan,

    async listTrackingPlans({ path, query, caller }) {
      const parent = await requireParent(store, 'workspaces', caller, workspaceName(path));
      const { items, next_page_token } = await listPage(store, { kind: 'tracking-plans', parent, query });
      return { tracking_plans: items.map(answered), next_page_token };
    },

    async createTrackingPlan({ path, body, caller }) {
      await checkPlanRules(body.tracking_plan.rules, turns);
      const plan = makeTrackingPlan(body, workspaceName(path), clock.now());
      await requireWorkspaceOf(store, caller, plan.name);
      requireCreated(await store.create('tracking-plans', plan), 'tracking-plans', plan.name);
      return shownTrackingPlan(plan);
    },

    async getTrackingPlan({ path, caller }) {
      const name = requireVisible(caller, trackingPlanName(path));
      return answered(found(await store.get('tracking-plans', name), name));
    },

    async deleteTrackingPlan({ path, header, caller }) {
      const name = requireVisible(caller, trackingPlanName(path));
      const check = matching(header, asIs, shownTrackingPlan);
      found((await store.remove('tracking-plans', name, check)) || undefined, name);
      return {};
    },
  };
}
