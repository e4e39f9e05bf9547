import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ExplainedMember } from '@waybill/client/config';
import { useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { titleOf } from '../ui/names.ts';
import { Badge } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { Crumbs } from './audience-page.tsx';
import { Explanation } from './explanation.tsx';
import { useComputed, useExplained } from './queries.ts';
import { isConfigApiError } from '@waybill/client/config';

const FROM = '/workspaces/$workspace/audiences/$id/member';

/** Why a user is a member of an audience, or is not. */
export function MemberPage() {
  const { id } = useParams({ from: FROM });
  const { user } = useSearch({ from: FROM });
  const { slug: workspace } = useWorkspace();
  const audience = useComputed('audiences', id);
  const explained = useExplained(id, user);
  const crumbs = (
    <>
      <Crumbs kind="audiences" />
      <Link to="/workspaces/$workspace/audiences/$id" params={{ workspace, id }}>
        {audience.data === undefined ? id : titleOf(audience.data)}
      </Link>
    </>
  );
  const toProfile = (
    <ButtonLink to="/workspaces/$workspace/profile" params={{ workspace }} search={{ user }} icon="privacy">
      Profile
    </ButtonLink>
  );
  const isUnknown = isConfigApiError(explained.error, 'NotFound') && audience.data !== undefined;
  return (
    <Page title={user} lead="Each condition with what this user has, as of now." crumbs={crumbs} actions={toProfile}>
      {isUnknown ? <Unknown /> : <Loaded query={explained}>{(data) => <Explained explained={data} />}</Loaded>}
    </Page>
  );
}

function Unknown() {
  return (
    <Card>
      <Empty icon="privacy" title="No profile of this user">
        A user has one from the first event on that comes after the first audience or computed trait was made. What was
        just accepted is seen here, unless more than 10,000 events wait to be counted.
      </Empty>
    </Card>
  );
}

function Explained({ explained }: { readonly explained: ExplainedMember }) {
  const { is_member: isMember, is_member_at_last_sync: wasMember, change_time: change, explanation } = explained;
  return (
    <Card
      title={isMember ? 'Is a member' : 'Is no member'}
      note={
        change !== undefined && (
          <>
            {isMember ? 'Leaves' : 'Enters'} <Time value={change} /> if nothing else happens
          </>
        )
      }
      action={
        <Badge tone={wasMember ? 'ok' : 'idle'}>
          {wasMember ? 'Member at the last sync' : 'No member at the last sync'}
        </Badge>
      }
    >
      <Explanation condition={explanation} />
    </Card>
  );
}
