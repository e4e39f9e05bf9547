import type { AcceptedEvents } from '@waybill/client/config';
import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Badge, Notice } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { NoNotices } from './notices-card.tsx';
import { useAccepted } from './queries.ts';

type AcceptedEvent = AcceptedEvents['accepted_events'][number];

/** Whether events arrive: the first thing that somebody who connects a source wants to see. */
export function EventsCard({ source, isOfNotices }: Omit<EventsProps, 'accepted'>) {
  const { accepted, state } = useAccepted(source);
  return (
    <>
      {state === 'interrupted' && (
        <Notice tone="warn">Not up to date: the router tells of no events now. It is asked again and again.</Notice>
      )}
      <Loaded query={accepted}>{(data) => <Events source={source} isOfNotices={isOfNotices} accepted={data} />}</Loaded>
    </>
  );
}

/** So many are enough to see that they come. */
const FIRST = 6;

interface EventsProps {
  readonly source: string;
  /** The router writes its events. */
  readonly isOfNotices: boolean;
  readonly accepted: AcceptedEvents;
}

function WatchLink({ source }: Pick<EventsProps, 'source'>) {
  const { slug: workspace } = useWorkspace();
  return (
    <ButtonLink to="/workspaces/$workspace/sources/$source/live" params={{ workspace, source }} size="small">
      Watch live
    </ButtonLink>
  );
}

function Waiting({ since }: Pick<AcceptedEvents, 'since'>) {
  return (
    <Notice tone="busy">
      <strong className="pulse">Waiting for the first event …</strong>
      <p>
        None came since the router started, <Time value={since} />. This page shows it the moment it comes.
      </p>
    </Notice>
  );
}

function Events({ source, isOfNotices, accepted: { count, since, accepted_events: events } }: EventsProps) {
  const [isWhole, setWhole] = useState(false);
  if (count === 0) return isOfNotices ? <NoNotices since={since} /> : <Waiting since={since} />;
  const action = (
    <span className="row">
      {!isOfNotices && <Badge tone="ok">Receiving</Badge>}
      <WatchLink source={source} />
    </span>
  );
  const note = (
    <>
      {countText(count)} since the router started, <Time value={since} />
    </>
  );
  return (
    <Card title={isOfNotices ? 'Last notices' : 'Events'} note={note} action={action} flush>
      <Table
        label="Last events"
        columns={COLUMNS}
        rows={isWhole ? events : events.slice(0, FIRST)}
        keyOf={({ message_id, receive_time }) => `${message_id} ${receive_time}`}
      />
      {events.length > FIRST && !isWhole && (
        <div className="more">
          <Button size="small" look="quiet" onClick={() => setWhole(true)}>
            Show the last {events.length}
          </Button>
        </div>
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<AcceptedEvent>[] = [
  {
    title: 'Event',
    cell: ({ type, event }) => (
      <span className="row">
        <span className="badge plain">{type}</span>
        {event}
      </span>
    ),
  },
  { title: 'Message id', cell: ({ message_id }) => <span className="mono muted small">{message_id}</span> },
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
