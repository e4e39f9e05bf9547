import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { useSources } from '../sources/queries.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleWithId } from '../ui/names.ts';
import { type Plan, useConnections } from './queries.ts';

/** The sources whose events are held to a plan. */
export function ConnectionsCard({ plan }: { readonly plan: Plan }) {
  const { canWrite } = useWorkspace();
  const connections = useConnections(plan);
  return (
    <Card title="Connected sources" note="A source has one plan at most.">
      <Loaded query={connections}>
        {(list) => (
          <div className="stack-tight">
            {list.length === 0 && <p className="muted">No source is connected: the plan does nothing yet.</p>}
            <ul className="keys stack-tight">
              {list.map(({ source_name: name }) => (
                <Connection key={name} plan={plan} name={name} />
              ))}
            </ul>
            {canWrite && <Connect plan={plan} connected={list.map(({ source_name: name }) => name)} />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Connection({ plan, name }: { readonly plan: Plan; readonly name: string }) {
  const { slug: workspace, canWrite } = useWorkspace();
  const disconnect = useChange(
    (client) => client.sourceConnections.delete(plan.name, name),
    [['plans', plan.name, 'connections']],
  );
  return (
    <li className="row-between">
      <Link to="/workspaces/$workspace/sources/$source/schema" params={{ workspace, source: slugOf(name) }}>
        {slugOf(name)}
      </Link>
      {canWrite && (
        <Button
          size="small"
          look="quiet"
          icon="trash"
          aria-label={`Disconnect ${slugOf(name)}`}
          disabled={disconnect.isPending}
          onClick={() => disconnect.mutate(undefined)}
        />
      )}
    </li>
  );
}

function Connect({ plan, connected }: { readonly plan: Plan; readonly connected: readonly string[] }) {
  const sources = useSources();
  const others = (sources.data ?? []).filter(({ name }) => !connected.includes(name));
  const [chosen, setChosen] = useState<string>();
  const name = chosen ?? others[0]?.name;
  const connect = useChange(
    (client, source: string) => client.sourceConnections.create(plan.name, source),
    [['plans', plan.name, 'connections']],
    () => setChosen(undefined),
  );
  if (name === undefined) return null;
  return (
    <>
      <div className="row tight">
        <select
          className="select grow"
          aria-label="Source"
          value={name}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {others.map((source) => (
            <option key={source.name} value={source.name}>
              {titleWithId(source)}
            </option>
          ))}
        </select>
        <Button disabled={connect.isPending} onClick={() => connect.mutate(name)}>
          Connect
        </Button>
      </div>
      {connect.error !== null && <Failure error={connect.error} />}
    </>
  );
}
