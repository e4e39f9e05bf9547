import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { InputField } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { type Plan, usePlans } from './queries.ts';
import { eventsOf } from './rules.ts';

export function PlansPage() {
  const { canWrite } = useWorkspace();
  const [isMaking, setMaking] = useState(false);
  const plans = usePlans();
  const add = canWrite && (
    <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
      New tracking plan
    </Button>
  );
  return (
    <Page title="Tracking plans" lead="What events should look like, and what is found to differ." actions={add}>
      <Loaded query={plans}>
        {(list) => (
          <Card flush>
            {list.length === 0 ? (
              <Empty icon="plans" title="No tracking plans yet">
                A plan lists your events and their properties. Connect a source, and events that differ are counted.
              </Empty>
            ) : (
              <Table label="Tracking plans" columns={COLUMNS} rows={list} keyOf={({ name }) => name} />
            )}
          </Card>
        )}
      </Loaded>
      {isMaking && <NewPlan onClose={() => setMaking(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  { title: 'Name', cell: (plan) => <PlanLink plan={plan} /> },
  { title: 'Events', cell: ({ rules }) => <span className="number">{eventsOf(rules).length}</span> },
  {
    title: 'Changed',
    end: true,
    cell: ({ update_time }) => (
      <span className="muted">
        <Time value={update_time} />
      </span>
    ),
  },
];

function PlanLink({ plan }: { readonly plan: Plan }) {
  const { slug: workspace } = useWorkspace();
  const params = { workspace, plan: slugOf(plan.name) };
  return (
    <Link to="/workspaces/$workspace/plans/$plan" params={params} className="row-link">
      {titleOf(plan)}
    </Link>
  );
}

function NewPlan({ onClose }: { readonly onClose: () => void }) {
  const { name, slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const create = useChange(
    (client) => client.trackingPlans.create(name, { display_name: title, rules: { events: [] } }),
    [['plans']],
    (made) =>
      void navigate({ to: '/workspaces/$workspace/plans/$plan', params: { workspace, plan: slugOf(made.name) } }),
  );
  const button = (
    <Button type="submit" look="primary" disabled={title === '' || create.isPending}>
      Create plan
    </Button>
  );
  return (
    <Dialog title="New tracking plan" actions={button} onSubmit={() => create.mutate(undefined)} onClose={onClose}>
      <div className="stack">
        <InputField label="Name" placeholder="Shop" value={title} onChange={setTitle} />
        {create.error !== null && <Failure error={create.error} />}
      </div>
    </Dialog>
  );
}
