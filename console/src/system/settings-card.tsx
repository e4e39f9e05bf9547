import { isConfigApiError, type Setting } from '@waybill/client/config';
import { useRead } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { Badge } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';

/** They change with a restart alone, so they are read once. */
export function SettingsCard() {
  const settings = useRead(['settings'], (client, signal) => client.settings.get({ signal }));
  if (isConfigApiError(settings.error, 'PermissionDenied')) return null;
  return (
    <Loaded query={settings}>
      {({ node, settings: list }) => (
        <Card title="Settings in force" note={`Of ${slugOf(node)}. What was set for this router comes first.`} flush>
          <Table label="Settings in force" columns={COLUMNS} rows={setFirst(list)} keyOf={({ name }) => name} />
        </Card>
      )}
    </Loaded>
  );
}

function setFirst(settings: readonly Setting[]): readonly Setting[] {
  return settings.toSorted((one, other) => Number(one.default) - Number(other.default));
}

const COLUMNS: readonly Column<Setting>[] = [
  { title: 'Setting', cell: ({ name }) => <span className="mono">--{slugOf(name)}</span> },
  { title: 'Value', cell: (setting) => <Value setting={setting} /> },
  {
    title: 'Set by',
    cell: ({ default: isDefault }) =>
      isDefault ? <span className="muted">default</span> : <Badge tone="ok">operator</Badge>,
  },
  {
    title: 'Variable',
    isMinor: true,
    end: true,
    cell: ({ variable }) => <span className="mono small muted">{variable}</span>,
  },
];

function Value({ setting: { value, set, secret } }: { readonly setting: Setting }) {
  if (value !== undefined) return <span className="mono">{value}</span>;
  return <span className="muted">{secret && set ? 'set, hidden' : 'none'}</span>;
}
