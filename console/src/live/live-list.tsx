import { Link } from '@tanstack/react-router';
import { placeOf } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Code } from '../ui/copy.tsx';
import { ExactTime } from '../ui/time.tsx';
import type { LiveEvent, Numbered } from './heard.ts';

/** One line each, which opens to what was sent and where it went. */
export function LiveList({ events }: { readonly events: readonly Numbered[] }) {
  return (
    <ul className="live">
      {events.map(({ number, event }) => (
        <li key={number}>
          <details>
            <summary>
              <span className="muted small">
                <ExactTime value={event.receive_time} />
              </span>
              <span className="badge plain">{event.type}</span>
              <strong className="wrap">{event.event}</strong>
              <span className="muted wrap">{event.user_id}</span>
              <span className="muted small live-end">{destinationsText(event)}</span>
            </summary>
            <div className="stack-tight live-body">
              <Destinations event={event} />
              <Code text={JSON.stringify(event.payload, undefined, 2)} what="Event" />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function destinationsText({ destinations }: LiveEvent): string {
  if (destinations.length === 0) return 'goes nowhere';
  return destinations.length === 1 ? 'to one destination' : `to ${destinations.length} destinations`;
}

function Destinations({ event: { destinations, event, user_id: user } }: { readonly event: LiveEvent }) {
  const { slug: workspace } = useWorkspace();
  if (destinations.length === 0)
    return <p className="muted">It goes nowhere: no enabled destination wants it, or the filters drop it.</p>;
  return (
    <div className="row">
      Went to
      {destinations.map((name) => (
        <Link
          key={name}
          to="/workspaces/$workspace/deliveries"
          params={{ workspace }}
          search={{ ...placeOf(name), ...(event === '' ? {} : { event }), ...(user === '' ? {} : { user }) }}
        >
          {placeOf(name).destination}
        </Link>
      ))}
    </div>
  );
}
