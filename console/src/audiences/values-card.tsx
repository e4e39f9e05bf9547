import { Link } from '@tanstack/react-router';
import type { ComputedTraitValue } from '@waybill/client/config';
import { useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import type { Column } from '../ui/table.tsx';
import { FoundUsers, usePageSize } from './found-users.tsx';
import { type ComputedTrait, useValues } from './queries.ts';

const COLUMNS: readonly Column<ComputedTraitValue>[] = [
  { title: 'User', cell: ({ user_id: user }) => <ProfileLink user={user} /> },
  { title: 'Value', cell: ({ value }) => <span className="mono wrap">{JSON.stringify(value)}</span> },
  { title: 'Since', end: true, cell: ({ since_sync: sync }) => <span className="muted">sync {sync}</span> },
];

/** What each user had at the last sync. */
export function ValuesCard({ trait }: { readonly trait: ComputedTrait }) {
  const page = usePageSize();
  const values = useValues(trait, page.count);
  return (
    <Card title="Values" note="As of the last sync, by the ids of the users." flush>
      <FoundUsers label="Values" query={values} columns={COLUMNS} onMore={page.more}>
        <Empty icon="traits" title="No values">
          Users who have a value are found by the next sync.
        </Empty>
      </FoundUsers>
    </Card>
  );
}

function ProfileLink({ user }: { readonly user: string }) {
  const { slug: workspace } = useWorkspace();
  return (
    <Link to="/workspaces/$workspace/profile" params={{ workspace }} search={{ user }} className="row-link mono">
      {user}
    </Link>
  );
}
