import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { placeOf } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { titleOf } from '../ui/names.ts';
import { Badge, Notice } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { Due, Time } from '../ui/time.tsx';
import { type DestinationFigures, lostOf, type Overview, totalOf } from './figures.ts';

const MAX_ITEMS = 8;
/** What waits longer is no retry that is about to come. */
const LONG_MS = 15 * 60_000;

/** What somebody should look at, each with a link. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const now = Date.parse(overview.read_time);
  const needy = overview.destinations.filter((one) => one.enabled && needOf(one, now) !== undefined);
  if (needy.length === 0) {
    if (totalOf(overview).delivered === 0) return null;
    return <Notice tone="ok">Everything arrives: nothing failed, and nothing waits for long.</Notice>;
  }
  return (
    <Card title="Needs attention" flush>
      <ul className="attention">
        {needy.slice(0, MAX_ITEMS).map((one) => (
          <Item key={one.name} figures={one} now={now} />
        ))}
      </ul>
      {needy.length > MAX_ITEMS && <p className="more muted">And {countText(needy.length - MAX_ITEMS)} more below.</p>}
    </Card>
  );
}

type Need = 'open' | 'lost' | 'late';

function needOf(figures: DestinationFigures, now: number): Need | undefined {
  const { circuit, oldest_waiting_time: oldest } = figures;
  if (circuit.state !== 'closed') return 'open';
  if (lostOf(figures) > 0) return 'lost';
  return oldest !== undefined && now - Date.parse(oldest) > LONG_MS ? 'late' : undefined;
}

const BADGES = {
  open: <Badge tone="bad">Circuit open</Badge>,
  lost: <Badge tone="bad">Failing</Badge>,
  late: <Badge tone="warn">Late</Badge>,
} as const satisfies Record<Need, ReactNode>;

function Item({ figures, now }: { readonly figures: DestinationFigures; readonly now: number }) {
  const { slug: workspace } = useWorkspace();
  const need = needOf(figures, now);
  if (need === undefined) return null;
  const place = placeOf(figures.name);
  return (
    <li>
      {BADGES[need]}
      <div className="grow">
        <Link
          to="/workspaces/$workspace/sources/$source/destinations/$destination"
          params={{ workspace, ...place }}
          className="strong"
        >
          <bdi>{titleOf(figures)}</bdi>
        </Link>{' '}
        <span className="muted">
          {place.destination} of {place.source}
        </span>
        <div className="small">
          <Reason need={need} figures={figures} />
        </div>
      </div>
      <Link
        to="/workspaces/$workspace/deliveries"
        params={{ workspace }}
        search={{ ...place, state: need === 'lost' ? 'failed' : 'pending' }}
        className="small nowrap"
      >
        {need === 'lost' ? 'Failed deliveries' : 'What waits'}
      </Link>
    </li>
  );
}

function Reason({ need, figures }: { readonly need: Need; readonly figures: DestinationFigures }) {
  const { circuit, waiting_count: waiting, oldest_waiting_time: oldest } = figures;
  const next = circuit.next_probe_time;
  const since = oldest !== undefined && (
    <>
      , the oldest <Time value={oldest} />
    </>
  );
  if (need === 'lost') return <>{lostText(lostOf(figures))} did not get through in the last 24 hours.</>;
  if (need === 'late')
    return (
      <>
        {countText(waiting)} wait{since}.
      </>
    );
  return (
    <>
      Only probes are sent: {countText(waiting)} wait{since}.{' '}
      {next === undefined ? (
        'A probe is under way.'
      ) : (
        <>
          Next probe <Due value={next} />
        </>
      )}
    </>
  );
}

function lostText(count: number): string {
  return count === 1 ? '1 delivery' : `${countText(count)} deliveries`;
}
