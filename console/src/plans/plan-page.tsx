import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useRemoval, useWorkspace } from '../session/workspace.tsx';
import { DeleteButton } from '../ui/confirm.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { titleOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { ConnectionsCard } from './connections-card.tsx';
import { type Plan, usePlan } from './queries.ts';
import { RulesCard } from './rules-card.tsx';

export function PlanPage() {
  const { plan: id } = useParams({ from: '/workspaces/$workspace/plans/$plan' });
  const plan = usePlan(id);
  return <Loaded query={plan}>{(data) => <PlanView key={data.name} plan={data} />}</Loaded>;
}

function PlanView({ plan }: { readonly plan: Plan }) {
  const { slug: workspace, canWrite } = useWorkspace();
  const crumbs = (
    <Link to="/workspaces/$workspace/plans" params={{ workspace }}>
      Tracking plans
    </Link>
  );
  return (
    <Page
      title={titleOf(plan)}
      lead={<span className="mono small">{plan.name}</span>}
      crumbs={crumbs}
      actions={canWrite && <DeletePlan plan={plan} />}
    >
      <div className="split">
        <div className="stack">
          <RulesCard plan={plan} />
        </div>
        <div className="stack">
          <ConnectionsCard plan={plan} />
        </div>
      </div>
    </Page>
  );
}

function DeletePlan({ plan }: { readonly plan: Plan }) {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  const remove = useRemoval(
    (client) => client.trackingPlans.delete(plan.name),
    [['plans']],
    () => navigate({ to: '/workspaces/$workspace/plans', params: { workspace } }),
  );
  return (
    <DeleteButton title={titleOf(plan)} what="plan" mutation={remove}>
      Events of its sources are no longer held to anything; the sources stay.
    </DeleteButton>
  );
}
