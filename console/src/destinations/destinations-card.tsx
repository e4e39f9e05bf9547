import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { titleOf } from '../ui/names.ts';
import { Badge } from '../ui/notice.tsx';
import { SearchedTable } from '../ui/searched-table.tsx';
import type { Column } from '../ui/table.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { type Destination, placeOf, useDestinations } from './queries.ts';
import { settingsOf } from './settings.ts';

/** Where the events of a source go. */
export function DestinationsCard({
  source,
  title = 'Destinations',
  isOfNotices = false,
}: {
  readonly source: string;
  readonly title?: string;
  /** The router writes the events of the source. */
  readonly isOfNotices?: boolean;
}) {
  const { slug, canWrite } = useWorkspace();
  const destinations = useDestinations(source);
  const add = canWrite && (
    <ButtonLink
      to="/workspaces/$workspace/sources/$source/new-destination"
      params={{ workspace: slug, source }}
      size="small"
      icon="plus"
    >
      New destination
    </ButtonLink>
  );
  return (
    <Card title={title} action={add} flush>
      <Loaded query={destinations}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="destinations" title="No destinations">
              {isOfNotices
                ? 'No notice is stored before there is a webhook that is to be told. Add one.'
                : 'Events of this source are accepted, and go nowhere yet. Add a webhook that receives them.'}
            </Empty>
          ) : (
            <SearchedTable label={`Destinations of ${source}`} icon="destinations" columns={COLUMNS} rows={list} />
          )
        }
      </Loaded>
    </Card>
  );
}

const COLUMNS: readonly Column<Destination>[] = [
  { title: 'Name', cell: (destination) => <DestinationLink destination={destination} /> },
  { title: 'Sends to', cell: (destination) => <span className="muted small mono">{summaryOf(destination)}</span> },
  {
    title: 'Enabled',
    end: true,
    cell: (destination) => (
      <span className="above">
        {destination.deliverable ? (
          <EnabledSwitch destination={destination} />
        ) : (
          <Badge tone="warn">Not deliverable</Badge>
        )}
      </span>
    ),
  },
];

function DestinationLink({ destination }: { readonly destination: Destination }) {
  const { slug } = useWorkspace();
  const place = placeOf(destination.name);
  return (
    <div>
      <Link
        to="/workspaces/$workspace/sources/$source/destinations/$destination"
        params={{ workspace: slug, ...place }}
        className="row-link"
      >
        {titleOf(destination)}
      </Link>
      {titleOf(destination) !== place.destination && <div className="muted mono small">{place.destination}</div>}
    </div>
  );
}

function summaryOf(destination: Destination): string {
  const { hooks, globalHook } = settingsOf(destination);
  const urls = [...hooks.map(({ url }) => url), ...(globalHook === '' ? [] : [globalHook])];
  const [first = '–', ...others] = urls.map(hostOf);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
