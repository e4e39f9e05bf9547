import { useSearch } from '@tanstack/react-router';
import { type Place, useDestinations } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { useSources } from '../sources/queries.ts';
import { ReplayAll } from '../replays/replay-dialog.tsx';
import { ReplaysCard } from '../replays/replays-card.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { useKept } from '../ui/kept.ts';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { sizeOfPage } from './known-pages.ts';
import { LongList } from './long-list.tsx';
import { useDeliveryPage } from './queries.ts';

export function DeliveriesPage() {
  const search = useSearch({ from: '/workspaces/$workspace/deliveries' });
  const sources = useSources();
  const [first] = sources.data ?? [];
  const source = search.source ?? (first === undefined ? undefined : slugOf(first.name));
  const destinations = useDestinations(source);
  const [firstOf] = destinations.data ?? [];
  const destination = search.destination ?? (firstOf === undefined ? undefined : slugOf(firstOf.name));
  const place = source === undefined || destination === undefined ? undefined : { source, destination };
  return (
    <Page
      title="Deliveries"
      lead="Each event on its way to one destination: what was tried, what came of it, and what happens next."
    >
      <Loaded query={sources}>
        {(list) => (
          <div className="stack">
            <Card>
              <DeliveryFilters
                sources={list}
                destinations={destinations.data ?? []}
                place={{ source, destination }}
                search={search}
              />
            </Card>
            {list.length === 0 || destinations.data?.length === 0 ? (
              <NoPlace source={source} />
            ) : (
              <>
                {place !== undefined && <ReplaysCard place={place} />}
                <Found place={place} />
              </>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function NoPlace({ source }: { readonly source: string | undefined }) {
  const { slug: workspace, canWrite } = useWorkspace();
  const next =
    source === undefined ? (
      <ButtonLink to="/workspaces/$workspace/new-source" params={{ workspace }} look="primary" icon="plus">
        New source
      </ButtonLink>
    ) : (
      <ButtonLink
        to="/workspaces/$workspace/sources/$source/new-destination"
        params={{ workspace, source }}
        look="primary"
        icon="plus"
      >
        New destination
      </ButtonLink>
    );
  return (
    <Card>
      <Empty icon="deliveries" title="Nothing can be delivered yet" action={canWrite && next}>
        A delivery is an event on its way to a destination.{' '}
        {source === undefined ? 'Create a source' : 'Add a destination'} first.
      </Empty>
    </Card>
  );
}

function Found({ place }: { readonly place: Place | undefined }) {
  const search = useSearch({ from: '/workspaces/$workspace/deliveries' });
  const { source: _source, destination: _destination, hours, ...rest } = search;
  const from = useFrom(hours);
  const filter = { ...rest, ...(from === undefined ? {} : { from }) };
  const first = useDeliveryPage(place, { filter, token: '', size: sizeOfPage(0) });
  return (
    <Loaded query={first}>
      {({ deliveries }) => (
        <Card title="Found" action={place !== undefined && <ReplayAll place={place} search={search} />} flush>
          {deliveries.length === 0 || place === undefined ? (
            <NothingFound isFiltered={Object.keys(filter).length > 0} />
          ) : (
            <LongList key={JSON.stringify([place, filter])} place={place} filter={filter} />
          )}
        </Card>
      )}
    </Loaded>
  );
}

/** The same moment for all pages of a list, also for who comes back to it. */
function useFrom(hours: string | undefined): string | undefined {
  const [moments] = useKept('moments', () => new Map<string, string>());
  if (hours === undefined) return undefined;
  const moment = moments.get(hours) ?? hoursAgo(Number(hours));
  moments.set(hours, moment);
  return moment;
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty icon="deliveries" title="No delivery matches">
        Widen the filter: another state, a longer time, any event.
      </Empty>
    );
  return (
    <Empty icon="deliveries" title="No deliveries yet">
      Send an event to the source; its way to this destination shows up here.
    </Empty>
  );
}
