import { isConfigApiError, type Node } from '@waybill/client/config';
import { useQuery } from '@tanstack/react-query';
import { SettingsCard } from './settings-card.tsx';
import { AT_REST_MS, useRead } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { Badge, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

export function SystemPage() {
  return (
    <Page title="System" lead="The routers that share this storage, and whether this one can work.">
      <div className="stack">
        <Readiness />
        <Nodes />
        <SettingsCard />
        <Card title="Elsewhere">
          <ul className="keys stack-tight">
            <li>
              <a href="/docs">API reference</a>
            </li>
            <li>
              <a href="/metrics">Metrics for Prometheus</a>
            </li>
          </ul>
        </Card>
      </div>
    </Page>
  );
}

/** What load balancers ask. */
function Readiness() {
  const ready = useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => isReady(signal),
    refetchInterval: 2 * AT_REST_MS,
  });
  if (ready.error !== null) return <Failure error={ready.error} retry={() => void ready.refetch()} />;
  if (ready.data === undefined) return null;
  if (ready.data) return <Notice tone="ok">This router is ready: it accepts events and delivers them.</Notice>;
  return <Notice tone="bad">This router is not ready. Its log and `/readyz` say what is missing.</Notice>;
}

async function isReady(signal: AbortSignal): Promise<boolean> {
  const response = await fetch('/readyz', { signal });
  // An answer that nobody reads keeps its connection.
  await response.text();
  return response.ok;
}

function Nodes() {
  const nodes = useRead(['nodes'], (client, signal) => client.nodes.list({ signal }), { every: 2 * AT_REST_MS });
  if (isConfigApiError(nodes.error, 'PermissionDenied')) {
    return <Notice tone="idle">The list of routers needs a token that is not bound to workspaces.</Notice>;
  }
  return (
    <Card title="Routers" flush>
      <Loaded query={nodes}>
        {(list) => <Table label="Routers" columns={COLUMNS} rows={list} keyOf={({ name }) => name} />}
      </Loaded>
    </Card>
  );
}

const COLUMNS: readonly Column<Node>[] = [
  { title: 'Router', cell: ({ name }) => <span className="mono">{slugOf(name)}</span> },
  { title: 'Version', cell: ({ version }) => <Badge tone="idle">{version}</Badge> },
  { title: 'Deliveries under way', cell: ({ delivery_count }) => <span className="number">{delivery_count}</span> },
  { title: 'Started', cell: ({ start_time }) => <Time value={start_time} /> },
  { title: 'Last heard', end: true, cell: ({ last_heard_time }) => <Time value={last_heard_time} /> },
];
