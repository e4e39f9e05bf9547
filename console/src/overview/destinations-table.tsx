import { Link } from '@tanstack/react-router';
import { placeOf } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { titleOf } from '../ui/names.ts';
import { Badge } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { type Column, Table } from '../ui/table.tsx';
import { durationText } from '../ui/time.tsx';
import { type DestinationFigures, lostOf } from './figures.ts';

/** What the last 24 hours came to, destination by destination. */
export function DestinationsTable({ destinations }: { readonly destinations: readonly DestinationFigures[] }) {
  return <Table label="Destinations" columns={COLUMNS} rows={destinations} keyOf={({ name }) => name} />;
}

const COLUMNS: readonly Column<DestinationFigures>[] = [
  { title: 'Destination', cell: (figures) => <FiguresLink figures={figures} /> },
  { title: 'State', cell: (figures) => <Health figures={figures} /> },
  { title: 'Delivered', isNumber: true, cell: ({ successes }) => countText(successes) },
  { title: 'Not delivered', isNumber: true, cell: (figures) => countText(lostOf(figures)) },
  { title: 'Retries', isNumber: true, isMinor: true, cell: ({ retries }) => countText(retries) },
  { title: 'Waiting', isNumber: true, cell: ({ waiting_count }) => countText(waiting_count) },
  {
    title: '95 % within',
    end: true,
    isNumber: true,
    cell: ({ time_to_success_p95: p95 }) => (p95 === undefined ? '–' : durationText(p95)),
  },
];

function FiguresLink({ figures }: { readonly figures: DestinationFigures }) {
  const { slug: workspace } = useWorkspace();
  const place = placeOf(figures.name);
  return (
    <div>
      <Link
        to="/workspaces/$workspace/sources/$source/destinations/$destination"
        params={{ workspace, ...place }}
        className="row-link"
      >
        {titleOf(figures)}
      </Link>
      <div className="muted small">
        {place.destination} of {place.source}
      </div>
    </div>
  );
}

function Health({ figures }: { readonly figures: DestinationFigures }) {
  const { enabled, circuit, retries, successes } = figures;
  if (!enabled) return <Badge tone="idle">Disabled</Badge>;
  if (circuit.state !== 'closed') return <Badge tone="bad">Circuit open</Badge>;
  if (lostOf(figures) > 0) return <Badge tone="bad">Failing</Badge>;
  if (retries > 0) return <Badge tone="warn">Retrying</Badge>;
  return successes === 0 ? <Badge tone="idle">Idle</Badge> : <Badge tone="ok">Healthy</Badge>;
}
