import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@waybill/client/config';
import { useWorkspace } from '../session/workspace.tsx';
import { operationWords, slugOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return <Table label="Changes" columns={COLUMNS} rows={entries} keyOf={({ name }) => name} />;
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Change', cell: ({ operation }) => <Badge tone={toneOf(operation)}>{operationWords(operation)}</Badge> },
  { title: 'Resource', cell: ({ resource, fields }) => <Changed resource={resource} fields={fields} /> },
  {
    title: 'By',
    cell: ({ token, token_description: description }) => (
      <span title={token}>{description === '' ? slugOf(token) : description}</span>
    ),
  },
  { title: 'From', isMinor: true, cell: ({ address }) => <span className="mono small muted nowrap">{address}</span> },
  {
    title: 'When',
    end: true,
    cell: ({ create_time }) => (
      <span className="muted">
        <Time value={create_time} />
      </span>
    ),
  },
];

function toneOf(operation: string): Tone {
  if (/^delete|^revoke/.test(operation)) return 'bad';
  return operation.startsWith('create') ? 'ok' : 'idle';
}

/** Leads to the changes of this resource. */
function Changed({ resource, fields }: Pick<AuditEntry, 'resource' | 'fields'>) {
  const { slug: workspace, name } = useWorkspace();
  const isHere = resource.startsWith(`${name}/`);
  const shown = isHere ? resource.slice(name.length + 1) : resource;
  return (
    <div>
      {isHere ? (
        <Link
          to="/workspaces/$workspace/access/audit"
          params={{ workspace }}
          search={{ resource }}
          className="mono small"
        >
          {shown}
        </Link>
      ) : (
        <span className="mono small">{shown}</span>
      )}
      {fields.length > 0 && <div className="muted small mono">{fields.join(', ')}</div>}
    </div>
  );
}
