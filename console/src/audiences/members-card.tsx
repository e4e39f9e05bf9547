import { Link, useNavigate } from '@tanstack/react-router';
import type { AudienceMember } from '@waybill/client/config';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { slugOf } from '../ui/names.ts';
import type { Column } from '../ui/table.tsx';
import { FoundUsers, usePageSize } from './found-users.tsx';
import { type Audience, useMembers } from './queries.ts';

/** Who was a member at the last sync. */
export function MembersCard({ audience }: { readonly audience: Audience }) {
  const page = usePageSize();
  const members = useMembers(audience, page.count);
  const id = slugOf(audience.name);
  return (
    <Card title="Members" note="As of the last sync, by their ids." action={<Explain id={id} />} flush>
      <FoundUsers label="Members" query={members} columns={columnsOf(id)} onMore={page.more}>
        <Empty icon="audiences" title="No members">
          Users for whom the definition holds are found by the next sync.
        </Empty>
      </FoundUsers>
    </Card>
  );
}

function columnsOf(id: string): readonly Column<AudienceMember>[] {
  return [
    { title: 'User', cell: ({ user_id: user }) => <MemberLink id={id} user={user} /> },
    {
      title: 'Since',
      end: true,
      cell: ({ since_sync: sync }) => <span className="muted">sync {sync}</span>,
    },
  ];
}

function MemberLink({ id, user }: { readonly id: string; readonly user: string }) {
  const { slug: workspace } = useWorkspace();
  return (
    <Link
      to="/workspaces/$workspace/audiences/$id/member"
      params={{ workspace, id }}
      search={{ user }}
      className="row-link mono"
    >
      {user}
    </Link>
  );
}

/** Leads to why a user is a member, or is not. */
function Explain({ id }: { readonly id: string }) {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  const [user, setUser] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const to = '/workspaces/$workspace/audiences/$id/member';
    void navigate({ to, params: { workspace, id }, search: { user } });
  };
  return (
    <form className="row tight" onSubmit={submit}>
      <input
        type="search"
        className="input"
        aria-label="User id"
        placeholder="Any user id"
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
      />
      <Button type="submit" size="small" disabled={user === ''}>
        Explain
      </Button>
    </form>
  );
}
