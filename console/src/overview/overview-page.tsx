import { AT_REST_MS, useRead, useWorkspace } from '../session/workspace.tsx';
import { type Tile, Tiles } from '../destinations/summary-tiles.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { countText } from '../ui/numbers.ts';
import { Page } from '../ui/page.tsx';
import { type Bar, HOUR_MS, lastBars, MINUTE_MS, TimeBars } from '../ui/time-bars.tsx';
import { Time } from '../ui/time.tsx';
import { Attention } from './attention.tsx';
import { DestinationsTable } from './destinations-table.tsx';
import { type Overview, totalOf } from './figures.ts';

export function OverviewPage() {
  const overview = useRead(['overview'], (client, signal, workspace) => client.overviews.get(workspace, { signal }), {
    every: AT_REST_MS,
  });
  return (
    <Page title="Overview" lead="Is everything arriving, and what needs attention.">
      <Loaded query={overview}>{(data) => (data.source_count === 0 ? <Start /> : <Figures overview={data} />)}</Loaded>
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

function Figures({ overview }: { readonly overview: Overview }) {
  const { destinations, destination_count: count } = overview;
  return (
    <div className="stack">
      <Attention overview={overview} />
      <Tiles tiles={tilesOf(overview)} />
      <Charts overview={overview} />
      <Card title="Destinations" note="What needs attention comes first." flush>
        {destinations.length === 0 ? (
          <Empty icon="destinations" title="No destinations yet">
            Add a webhook to one of your sources, so that its events go somewhere.
          </Empty>
        ) : (
          <DestinationsTable destinations={destinations} />
        )}
      </Card>
      {count > destinations.length && (
        <p className="muted small">
          {countText(destinations.length)} of {countText(count)} destinations are listed.
        </p>
      )}
    </div>
  );
}

const WORDS = { line: 'Events in', good: 'Delivered', bad: 'Not delivered' };

function Charts({ overview: { minutes, hours, read_time } }: { readonly overview: Overview }) {
  const now = Date.parse(read_time);
  return (
    <div className="two">
      <Card title="Last hour">
        <TimeBars bars={lastBars(minutes.map(barOf), 60, MINUTE_MS, now)} words={WORDS} unit="minute" />
      </Card>
      <Card title="Last 24 hours">
        <TimeBars bars={lastBars(hours.map(barOf), 24, HOUR_MS, now)} words={WORDS} unit="hour" />
      </Card>
    </div>
  );
}

function barOf({ time, accepted, delivered, failed }: Overview['hours'][number]): Bar {
  return { start: Date.parse(time), line: accepted, good: delivered, bad: failed };
}

function tilesOf(overview: Overview): readonly Tile[] {
  const { accepted, delivered, failed } = totalOf(overview);
  const { waiting_count: waiting, oldest_waiting_time: oldest, open_circuit_count: open } = overview;
  const { destination_count: destinations, router_count: routers, source_count: sources } = overview;
  return [
    { title: 'Events in', value: countText(accepted), note: countedSince(overview) },
    { title: 'Delivered', value: countText(delivered), note: 'last 24 hours, once for each destination' },
    {
      title: 'Not delivered',
      value: countText(failed),
      note: 'failed for good, or expired',
      tone: failed > 0 ? 'bad' : undefined,
    },
    {
      title: 'Waiting',
      value: countText(waiting),
      note: oldest === undefined ? 'nothing waits' : <Oldest time={oldest} />,
    },
    {
      title: 'Open circuits',
      value: countText(open),
      note: `of ${countText(destinations)} ${destinations === 1 ? 'destination' : 'destinations'}`,
      tone: open > 0 ? 'bad' : undefined,
    },
    {
      title: routers === 1 ? 'Router' : 'Routers',
      value: countText(routers),
      note: `for ${countText(sources)} ${sources === 1 ? 'source' : 'sources'}`,
    },
  ];
}

function Oldest({ time }: { readonly time: string }) {
  return (
    <>
      the oldest <Time value={time} />
    </>
  );
}

const DAY_MS = 24 * HOUR_MS;

/** Counting begins with the router, where it has its storage alone. */
function countedSince({ count_start_time: since, read_time: now }: Overview): Tile['note'] {
  if (Date.parse(now) - Date.parse(since) >= DAY_MS) return 'last 24 hours';
  return (
    <>
      since the router started, <Time value={since} />
    </>
  );
}
