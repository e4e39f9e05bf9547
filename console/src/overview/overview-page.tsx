import { Link } from '@tanstack/react-router';
import { placeOf } from '../destinations/queries.ts';
import { type Tile, Tiles } from '../destinations/summary-tiles.tsx';
import { AT_REST_MS, useRead, useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { titleOf } from '../ui/names.ts';
import { Badge, Notice } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { Page } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { durationText } from '../ui/time.tsx';
import {
  byNeed,
  type DestinationFigures,
  MAX_SOURCES,
  type Overview,
  readOverview,
  type Total,
  totalOf,
} from './read-overview.ts';

export function OverviewPage() {
  // A dozen requests at most, so not often.
  const overview = useRead(['overview'], readOverview, { every: 8 * AT_REST_MS });
  return (
    <Page title="Overview" lead="The last 24 hours: is everything arriving, and what needs attention.">
      <Loaded query={overview}>
        {(data) => (data.sources.length === 0 ? <Start /> : <Figures overview={data} />)}
      </Loaded>
    </Page>
  );
}

function Start() {
  const { slug: workspace, canWrite } = useWorkspace();
  const next = canWrite && (
    <ButtonLink to="/workspaces/$workspace/new-source" params={{ workspace }} look="primary" icon="plus">
      New source
    </ButtonLink>
  );
  return (
    <Card>
      <Empty icon="waybill" title="Send the first event in two minutes" action={next}>
        Create a source, add a webhook as its destination, and send a test event from its page.
      </Empty>
    </Card>
  );
}

function Figures({ overview: { destinations, sources, hasMore } }: { readonly overview: Overview }) {
  const total = totalOf(destinations);
  const isFine = total.lost === 0 && total.retries === 0 && total.delivered > 0;
  return (
    <div className="stack">
      {isFine && <Notice tone="ok">Everything arrives: no delivery failed or had to be repeated.</Notice>}
      <Tiles tiles={tilesOf(total, destinations.length, `${sources.length}${hasMore ? '+' : ''}`)} />
      <Card title="Destinations" note="What needs attention comes first." flush>
        {destinations.length === 0 ? (
          <Empty icon="destinations" title="No destinations yet">
            Add a webhook to one of your sources, so that its events go somewhere.
          </Empty>
        ) : (
          <Table
            label="Destinations"
            columns={COLUMNS}
            rows={byNeed(destinations)}
            keyOf={({ destination }) => destination.name}
          />
        )}
      </Card>
      {hasMore && <p className="muted">These are the figures of the first {MAX_SOURCES} sources.</p>}
    </div>
  );
}

function tilesOf({ delivered, lost, retries }: Total, destinations: number, sources: string): readonly Tile[] {
  return [
    { title: 'Delivered', value: countText(delivered), note: 'events, once for each destination' },
    {
      title: 'Not delivered',
      value: countText(lost),
      note: 'failed for good, or expired',
      tone: lost > 0 ? 'bad' : undefined,
    },
    {
      title: 'Retries',
      value: countText(retries),
      note: 'attempts that were repeated',
      tone: retries > 0 ? 'warn' : undefined,
    },
    {
      title: 'Sources',
      value: sources,
      note: destinations === 1 ? 'with one destination' : `with ${destinations} destinations`,
    },
  ];
}

const COLUMNS: readonly Column<DestinationFigures>[] = [
  { title: 'Destination', cell: (figures) => <FiguresLink figures={figures} /> },
  { title: 'State', cell: (figures) => <Health figures={figures} /> },
  { title: 'Delivered', cell: ({ summary }) => <span className="number">{countText(summary.successes)}</span> },
  {
    title: 'Not delivered',
    cell: ({ summary }) => <span className="number">{countText(summary.failures + summary.expirations)}</span>,
  },
  { title: 'Retries', cell: ({ summary }) => <span className="number">{countText(summary.retries)}</span> },
  {
    title: '95 % within',
    end: true,
    cell: ({ summary: { time_to_success: times } }) =>
      times === undefined ? '' : <span className="number">{durationText(times.p95)}</span>,
  },
];

function FiguresLink({ figures: { destination } }: { readonly figures: DestinationFigures }) {
  const { slug: workspace } = useWorkspace();
  const place = placeOf(destination.name);
  return (
    <div>
      <Link
        to="/workspaces/$workspace/sources/$source/destinations/$destination"
        params={{ workspace, ...place }}
        className="row-link"
      >
        {titleOf(destination)}
      </Link>
      <div className="muted small">of {place.source}</div>
    </div>
  );
}

function Health({ figures: { destination, summary } }: { readonly figures: DestinationFigures }) {
  if (!destination.enabled) return <Badge tone="idle">Disabled</Badge>;
  if (summary.failures + summary.expirations > 0) return <Badge tone="bad">Failing</Badge>;
  if (summary.retries > 0) return <Badge tone="warn">Retrying</Badge>;
  return summary.successes === 0 ? <Badge tone="idle">Idle</Badge> : <Badge tone="ok">Healthy</Badge>;
}
