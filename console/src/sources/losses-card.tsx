import type { DroppedEvents } from '@waybill/client/config';
import { Card } from '../ui/card.tsx';
import { Badge, type Tone } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { LOSS_REASONS } from './loss-reasons.ts';
import { useDropped } from './queries.ts';

interface Loss {
  readonly tone: Tone;
  readonly kind: string;
  readonly reason: keyof typeof LOSS_REASONS;
  readonly count: number;
  readonly last: string | undefined;
}

/** What was not kept as it was sent, by reason; nothing while there is nothing. */
export function LossesCard({ source }: { readonly source: string }) {
  const { data } = useDropped(source);
  const losses = data === undefined ? [] : lossesIn(data);
  if (losses.length === 0) return null;
  return (
    <Card
      title="Dropped, blocked and adjusted"
      note="Since the router started; nothing else of a batch is affected."
      flush
    >
      <Table label="Losses" columns={COLUMNS} rows={losses} keyOf={({ kind, reason }) => `${kind} ${reason}`} />
    </Card>
  );
}

function lossesIn(dropped: DroppedEvents): readonly Loss[] {
  const rows = [
    ['bad', 'Dropped', dropped.counts, dropped.dropped_events],
    ['warn', 'Blocked', dropped.blocked_counts, dropped.blocked_events],
    ['idle', 'Adjusted', dropped.adjusted_counts, dropped.adjusted_events],
  ] as const;
  return rows.flatMap(([tone, kind, counts, events]) =>
    counts.map(({ reason, count }) => {
      const last = events.find((event) => event.reason === reason)?.receive_time;
      return { tone, kind, reason, count, last };
    }),
  );
}

const COLUMNS: readonly Column<Loss>[] = [
  { title: 'Reason', cell: ({ reason }) => <Reason code={reason} /> },
  { title: 'Effect', cell: ({ tone, kind }) => <Badge tone={tone}>{kind}</Badge> },
  { title: 'Events', cell: ({ count }) => <span className="number">{countText(count)}</span> },
  {
    title: 'Last',
    end: true,
    cell: ({ last }) =>
      last !== undefined && (
        <span className="muted">
          <Time value={last} />
        </span>
      ),
  },
];

/** With the code that the API and the metrics go by. */
function Reason({ code }: { readonly code: Loss['reason'] }) {
  return (
    <div>
      {LOSS_REASONS[code]}
      <div className="muted small mono">{code}</div>
    </div>
  );
}
