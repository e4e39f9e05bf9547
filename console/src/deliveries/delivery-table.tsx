import { Link } from '@tanstack/react-router';
import type { Delivery } from '@waybill/client/config';
import { placeOf } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { slugOf, wordsOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Due, Time } from '../ui/time.tsx';

export const STATE_TONES: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'warn',
  trying: 'busy',
  delivered: 'ok',
  failed: 'bad',
  expired: 'bad',
  cancelled: 'idle',
};

export function StateBadge({ state }: Pick<Delivery, 'state'>) {
  return <Badge tone={STATE_TONES[state]}>{wordsOf(state)}</Badge>;
}

export function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  return <Table label="Deliveries" isSteady columns={COLUMNS} rows={deliveries} keyOf={({ name }) => name} />;
}

export const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'Event', cell: (delivery) => <DeliveryLink delivery={delivery} /> },
  { title: 'User', cell: ({ user_id }) => <span className="muted">{user_id}</span> },
  { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Rounds', isMinor: true, cell: ({ round_count }) => <span className="number">{round_count}</span> },
  { title: 'Next try', cell: ({ due_time }) => due_time !== undefined && <Due value={due_time} /> },
  {
    title: 'Accepted',
    end: true,
    cell: ({ receive_time }) => (
      <span className="muted">
        <Time value={receive_time} />
      </span>
    ),
  },
];

function DeliveryLink({ delivery }: { readonly delivery: Delivery }) {
  const { slug: workspace } = useWorkspace();
  const params = { workspace, ...placeOf(delivery.name), delivery: slugOf(delivery.name) };
  return (
    <Link
      to="/workspaces/$workspace/sources/$source/destinations/$destination/deliveries/$delivery"
      params={params}
      className="row-link"
    >
      {titleOfEvent(delivery)}
    </Link>
  );
}

/** The name of a tracked event; of others their kind. */
export function titleOfEvent({ event, type }: Pick<Delivery, 'event' | 'type'>): string {
  return event === '' ? wordsOf(type) : event;
}
