import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { isConfigApiError, type Profile } from '@waybill/client/config';
import { useRead, useRemoval, useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { DeleteButton } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { FindProfile } from './find-profile.tsx';

/** All that is known of one user. */
export function ProfilePage() {
  const { user } = useSearch({ from: '/workspaces/$workspace/profile' });
  const { slug: workspace, canWrite } = useWorkspace();
  const profile = useRead(['profiles', user], (client, signal, name) => client.profiles.get(name, user, { signal }), {
    enabled: user !== '',
  });
  const crumbs = (
    <Link to="/workspaces/$workspace/privacy" params={{ workspace }}>
      Privacy
    </Link>
  );
  const { data } = profile;
  const isUnknown = user === '' || isConfigApiError(profile.error, 'NotFound');
  return (
    <Page
      title={user === '' ? 'Profile' : user}
      lead="What is known of one user, by any of its ids."
      crumbs={crumbs}
      actions={canWrite && data !== undefined && <DeleteProfile profile={data} />}
    >
      {isUnknown ? <Unknown user={user} /> : <Loaded query={profile}>{(found) => <Found profile={found} />}</Loaded>}
    </Page>
  );
}

function Unknown({ user }: { readonly user: string }) {
  return (
    <div className="stack">
      {user !== '' && (
        <Card>
          <Empty icon="privacy" title="No profile of this user">
            There are profiles of users whose events came since the first audience or computed trait was made. What was
            just accepted is seen here, unless more than 10,000 events wait to be counted.
          </Empty>
        </Card>
      )}
      <FindProfile />
    </div>
  );
}

function Found({ profile }: { readonly profile: Profile }) {
  const { traits, audiences, computed_traits: computed } = profile;
  return (
    <div className="stack">
      <Ids profile={profile} />
      <Card title="Traits" note="What identify calls gave last." flush>
        <Rows
          label="Traits"
          none="No identify call has given any."
          columns={TRAITS}
          rows={Object.entries(traits)}
          keyOf={([name]) => name}
        />
      </Card>
      <Card title="Audiences" note="Those whose last sync found the user." flush>
        <Rows
          label="Audiences"
          none="A member of none."
          columns={AUDIENCES}
          rows={audiences}
          keyOf={({ name }) => name}
        />
      </Card>
      <Card title="Computed traits" flush>
        <Rows
          label="Computed traits"
          none="No value yet."
          columns={COMPUTED}
          rows={computed}
          keyOf={({ name }) => name}
        />
      </Card>
    </div>
  );
}

interface RowsProps<Row> {
  readonly label: string;
  readonly none: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

function Rows<Row>({ none, ...table }: RowsProps<Row>) {
  return table.rows.length === 0 ? <p className="card-body muted">{none}</p> : <Table {...table} />;
}

function Ids({ profile: { user_id: id, user_ids: ids, anonymous_ids: anonymous } }: { readonly profile: Profile }) {
  return (
    <Card title="Ids">
      <dl className="facts">
        <div>
          <dt>Destinations are told</dt>
          <dd className="mono">{id}</dd>
        </div>
        <div>
          <dt>User ids</dt>
          <dd className="mono">{ids.join(', ')}</dd>
        </div>
        <div>
          <dt>Anonymous ids</dt>
          <dd className="mono">{anonymous.length === 0 ? '–' : anonymous.join(', ')}</dd>
        </div>
      </dl>
    </Card>
  );
}

const TRAITS: readonly Column<readonly [string, unknown]>[] = [
  { title: 'Trait', cell: ([name]) => <strong>{name}</strong> },
  { title: 'Value', end: true, cell: ([, value]) => <code>{JSON.stringify(value)}</code> },
];

const AUDIENCES: readonly Column<Profile['audiences'][number]>[] = [
  { title: 'Audience', cell: ({ name, key }) => <ComputedLink kind="audiences" name={name} title={key} /> },
  { title: 'Since', end: true, cell: ({ since_sync: sync }) => <span className="muted">sync {sync}</span> },
];

const COMPUTED: readonly Column<Profile['computed_traits'][number]>[] = [
  { title: 'Computed trait', cell: ({ name, key }) => <ComputedLink kind="computed-traits" name={name} title={key} /> },
  { title: 'Value', end: true, cell: ({ value }) => <code>{JSON.stringify(value)}</code> },
];

interface ComputedLinkProps {
  readonly kind: 'audiences' | 'computed-traits';
  readonly name: string;
  readonly title: string;
}

function ComputedLink({ kind, name, title }: ComputedLinkProps) {
  const { slug: workspace } = useWorkspace();
  return (
    <Link to={`/workspaces/$workspace/${kind}/$id`} params={{ workspace, id: slugOf(name) }} className="row-link">
      {title}
    </Link>
  );
}

function DeleteProfile({ profile }: { readonly profile: Profile }) {
  const { slug: workspace, name } = useWorkspace();
  const navigate = useNavigate();
  const { user_id: user } = profile;
  const remove = useRemoval(
    (client) => client.profiles.delete(name, user),
    [['profiles'], ['regulations']],
    () => navigate({ to: '/workspaces/$workspace/privacy', params: { workspace } }),
  );
  return (
    <DeleteButton title={user} what="user" mutation={remove}>
      The profile goes at once, in all of its ids, and the stored events of the user soon after. No destination is told.
      Later events of the user are counted again.
    </DeleteButton>
  );
}
