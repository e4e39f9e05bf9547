import { useNavigate, useParams } from '@tanstack/react-router';
import { DestinationsCard } from '../destinations/destinations-card.tsx';
import { useRemoval, useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { DeleteButton } from '../ui/confirm.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { ConnectCard } from './connect-card.tsx';
import { EventsCard } from './events-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { LossesCard } from './losses-card.tsx';
import { NOTICES_KIND, NoticesCard } from './notices-card.tsx';
import { type Source, useSource } from './queries.ts';
import { SourceCrumbs } from './source-crumbs.tsx';

export function SourcePage() {
  const { source: slug } = useParams({ from: '/workspaces/$workspace/sources/$source' });
  const source = useSource(slug);
  return <Loaded query={source}>{(data) => <SourceView key={data.name} source={data} />}</Loaded>;
}

function SourceView({ source }: { readonly source: Source }) {
  const { slug: workspace, canWrite } = useWorkspace();
  const id = slugOf(source.name);
  const actions = (
    <>
      <ButtonLink to="/workspaces/$workspace/sources/$source/schema" params={{ workspace, source: id }} icon="plans">
        Schema
      </ButtonLink>
      {canWrite && <DeleteSource source={source} />}
    </>
  );
  const isOfNotices = source.catalog_name === NOTICES_KIND;
  const lead = <span className="mono small">{source.name}</span>;
  return (
    <Page title={titleOf(source)} lead={lead} crumbs={<SourceCrumbs />} actions={actions}>
      <div className="split">
        <div className="stack">
          <EventsCard source={id} isOfNotices={isOfNotices} />
          <DestinationsCard source={id} isOfNotices={isOfNotices} />
          <LossesCard source={id} />
        </div>
        <div className="stack">{isOfNotices ? <NoticesCard /> : <Sending source={source} />}</div>
      </div>
    </Page>
  );
}

function Sending({ source }: { readonly source: Source }) {
  return (
    <>
      <ConnectCard source={source} />
      <KeysCard source={source} />
    </>
  );
}

function DeleteSource({ source }: { readonly source: Source }) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const remove = useRemoval(
    (client) => client.sources.delete(source.name),
    [['sources']],
    () => navigate({ to: '/workspaces/$workspace/sources', params: { workspace: slug } }),
  );
  return (
    <DeleteButton title={titleOf(source)} what="source" mutation={remove}>
      Its destinations and filters go with it, and its write keys are refused. What is waiting to be delivered is
      cancelled.
    </DeleteButton>
  );
}
