import type { Sync } from '@waybill/client/config';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { messageOf } from '../ui/errors.ts';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { countText } from '../ui/numbers.ts';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { type Computed, type Kind, methodsOf, useSyncs } from './queries.ts';
import { StateBadge } from './state-badge.tsx';

interface SyncsProps {
  readonly kind: Kind;
  readonly computed: Computed;
}

/** What each sync found, and what became of what it told. */
export function SyncsCard({ kind, computed }: SyncsProps) {
  const syncs = useSyncs(kind, computed);
  return (
    <Card
      title="Syncs"
      note="Users who were found, and the calls that tell of them. What became of the calls is counted each minute."
      flush
    >
      <Loaded query={syncs}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 ? (
              <Empty icon="replay" title="No sync yet">
                {computed.enabled
                  ? 'The first one begins by itself in a moment, and again every few hours.'
                  : 'Switch it on, and the first one begins.'}
              </Empty>
            ) : (
              <Table label="Syncs" columns={columnsOf(kind)} rows={items} keyOf={({ name }) => name} />
            )}
            {hasMore && <p className="more muted">The last {items.length} are shown.</p>}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function columnsOf(kind: Kind): readonly Column<Sync>[] {
  return [
    { title: 'Sync', cell: (sync) => <Begun sync={sync} /> },
    { title: 'State', cell: (sync) => <State sync={sync} /> },
    count('Evaluated', ({ evaluated }) => evaluated),
    count('Entered', ({ entered }) => entered),
    count('Left', ({ left }) => left),
    count('Sent', ({ sent }) => sent),
    count('Held', ({ held }) => held),
    count('Left out', ({ left_out: leftOut }) => leftOut),
    count('Delivered', ({ delivered }) => delivered),
    count('Failed', ({ failed, expired }) => failed + expired),
    count('Replaced', ({ superseded }) => superseded),
    { title: 'Cancel', end: true, cell: (sync) => <CancelSync kind={kind} sync={sync} /> },
  ];
}

/** What is not known yet has no number. */
function count(title: string, of: (sync: Sync) => number | undefined): Column<Sync> {
  const cell = (sync: Sync) => {
    const value = of(sync);
    return <span className="number">{value === undefined ? '–' : countText(value)}</span>;
  };
  return { title, cell };
}

function Begun({ sync: { name, start_time: start } }: { readonly sync: Sync }) {
  return (
    <span className="nowrap">
      <strong>{slugOf(name)}</strong>
      <span className="muted">
        {' · '}
        <Time value={start} />
      </span>
    </span>
  );
}

function State({ sync: { state, reason } }: { readonly sync: Sync }) {
  return (
    <>
      <StateBadge state={state} />
      {reason !== undefined && <div className={state === 'RUNNING' ? 'muted small' : 'wrong small'}>{reason}</div>}
    </>
  );
}

function CancelSync({ kind, sync }: { readonly kind: Kind; readonly sync: Sync }) {
  const { canWrite } = useWorkspace();
  const cancel = useChange((client) => methodsOf(client, kind).cancelSync(sync.name), [[kind]]);
  if (!canWrite || sync.state !== 'RUNNING') return null;
  return (
    <>
      {cancel.error !== null && <span className="wrong">{messageOf(cancel.error)}</span>}
      <Button
        size="small"
        aria-label={`Cancel sync ${slugOf(sync.name)}`}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(undefined)}
      >
        Cancel
      </Button>
    </>
  );
}
