import { useNavigate, useParams } from '@tanstack/react-router';
import { RecentDeliveries } from '../deliveries/recent-deliveries.tsx';
import { FiltersCard } from '../filters/filters-card.tsx';
import { useRemoval, useWorkspace } from '../session/workspace.tsx';
import { DeleteButton } from '../ui/confirm.tsx';
import { SourceCrumbs } from '../sources/source-crumbs.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { titleOf } from '../ui/names.ts';
import { Badge } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { CircuitCard } from './circuit-card.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { HoursCard } from './hours-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { type Destination, type Place, placeOf, useDestination } from './queries.ts';
import { settingsOf } from './settings.ts';
import { ShapeCard } from './shape-card.tsx';
import { SummaryTiles } from './summary-tiles.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

export function DestinationPage() {
  const place = useParams({ from: '/workspaces/$workspace/sources/$source/destinations/$destination' });
  const destination = useDestination(place);
  return (
    <Loaded query={destination}>
      {(data) => <DestinationView key={data.name} destination={data} place={placeOf(data.name)} />}
    </Loaded>
  );
}

function DestinationView({ destination, place }: { readonly destination: Destination; readonly place: Place }) {
  const { canWrite } = useWorkspace();
  const { source } = place;
  const actions = (
    <>
      <span className="row">
        <Badge tone={destination.enabled ? 'ok' : 'idle'}>{destination.enabled ? 'Enabled' : 'Disabled'}</Badge>
        <EnabledSwitch destination={destination} />
      </span>
      {canWrite && <DeleteDestination destination={destination} source={source} />}
    </>
  );
  return (
    <Page
      title={titleOf(destination)}
      lead={<span className="mono small">{destination.name}</span>}
      crumbs={<SourceCrumbs source={source} />}
      actions={actions}
    >
      <div className="stack">
        <SummaryTiles place={place} />
        {destination.deliverable && <CircuitCard place={place} />}
        <HoursCard place={place} />
        <WebhooksCard destination={destination} />
        {destination.deliverable && <LimitsCard key={limitsKey(destination)} destination={destination} />}
        <FiltersCard place={place} />
        <ShapeCard destination={destination} />
        <RecentDeliveries place={place} />
      </div>
    </Page>
  );
}

/** Who has limits before them sees those that others set. */
function limitsKey(destination: Destination): string {
  return JSON.stringify(settingsOf(destination).limits);
}

function DeleteDestination({ destination, source }: { readonly destination: Destination; readonly source: string }) {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  const remove = useRemoval(
    (client) => client.destinations.delete(destination.name),
    [['sources', source, 'destinations']],
    () => navigate({ to: '/workspaces/$workspace/sources/$source', params: { workspace, source } }),
  );
  return (
    <DeleteButton title={titleOf(destination)} what="destination" mutation={remove}>
      Its filters go with it, and what is waiting to be delivered is cancelled.
    </DeleteButton>
  );
}
