import { Link } from '@tanstack/react-router';
import type { DestinationQueue } from '@waybill/client/config';
import type { ReactNode } from 'react';
import { AT_REST_MS, useRead, useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { Badge } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { Due, Time } from '../ui/time.tsx';
import { nameOf, type Place } from './queries.ts';

/** Whether the destination is being sent to, and what waits for it. */
export function CircuitCard({ place }: { readonly place: Place }) {
  const queue = useRead(
    ['sources', place.source, 'destinations', place.destination, 'queue'],
    (client, signal, workspace) => client.queues.get(nameOf(workspace, place), { signal }),
    { every: 2 * AT_REST_MS },
  );
  return (
    <Loaded query={queue}>
      {(data) => (
        <Card title="Queue" note={NOTES[data.circuit.state]} action={<CircuitBadge state={data.circuit.state} />}>
          <Facts place={place} queue={data} />
        </Card>
      )}
    </Loaded>
  );
}

type State = DestinationQueue['circuit']['state'];

const NOTES: Readonly<Record<State, string>> = {
  closed: 'What is due is sent.',
  open: 'The destination failed too often. One delivery at a time is sent as a probe; its success lets all others go.',
  half_open: 'One delivery is being sent as a probe; its success lets all others go.',
};

function CircuitBadge({ state }: { readonly state: State }) {
  if (state === 'closed') return <Badge tone="ok">Circuit closed</Badge>;
  return state === 'open' ? <Badge tone="bad">Circuit open</Badge> : <Badge tone="busy">Circuit half open</Badge>;
}

function Facts({ place, queue }: { readonly place: Place; readonly queue: DestinationQueue }) {
  const { circuit, waiting_count: waiting, oldest_waiting_time: oldest, next_due_time: due } = queue;
  const { slug: workspace } = useWorkspace();
  const toWaiting = (
    <Link to="/workspaces/$workspace/deliveries" params={{ workspace }} search={{ ...place, state: 'pending' }}>
      {countText(waiting)}
    </Link>
  );
  return (
    <dl className="facts">
      <Fact title="Waiting">{waiting === 0 ? 'Nothing' : toWaiting}</Fact>
      {oldest !== undefined && (
        <Fact title="Oldest">
          <Time value={oldest} />
        </Fact>
      )}
      {circuit.state === 'closed' && due !== undefined && (
        <Fact title="Next due">
          <Due value={due} />
        </Fact>
      )}
      {circuit.state !== 'closed' && <Probes place={place} circuit={circuit} />}
    </dl>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="number">{children}</dd>
    </div>
  );
}

function Probes({ place, circuit }: { readonly place: Place; readonly circuit: DestinationQueue['circuit'] }) {
  const { slug: workspace } = useWorkspace();
  const { failed_probe_count: failed, next_probe_time: next, probe } = circuit;
  return (
    <>
      <Fact title="Failed probes">{countText(failed)}</Fact>
      {next !== undefined && (
        <Fact title="Next probe">
          <Due value={next} />
        </Fact>
      )}
      {probe !== undefined && (
        <Fact title="Probe">
          <Link
            to="/workspaces/$workspace/sources/$source/destinations/$destination/deliveries/$delivery"
            params={{ workspace, ...place, delivery: slugOf(probe) }}
          >
            Delivery {slugOf(probe)}
          </Link>
        </Fact>
      )}
    </>
  );
}
