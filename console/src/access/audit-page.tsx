import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type AuditEntry, isConfigApiError } from '@waybill/client/config';
import { take, type Taken } from '../session/take.ts';
import { AT_REST_MS, useRead, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Choice, Typed } from '../ui/choice.tsx';
import { Empty } from '../ui/empty.tsx';
import { useKept } from '../ui/kept.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { AuditTable } from './audit-table.tsx';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';

const PAGE = 50;
const HOUR_MS = 3_600_000;
const PLACES = [
  { value: '', text: 'This workspace' },
  { value: 'router', text: 'Workspaces and tokens' },
];
const TIMES = [
  { value: '', text: 'Any' },
  { value: '1', text: 'Last hour' },
  { value: '24', text: 'Last 24 hours' },
  { value: '168', text: 'Last 7 days' },
];

/** Who changed what. */
export function AuditPage() {
  const search = useSearch({ from: '/workspaces/$workspace/access/audit' });
  const change = useChangeSearch(search);
  return (
    <Page title="Audit" lead="Who changed the configuration, newest first. Values are never part of it.">
      <AccessTabs />
      <div className="stack">
        <Card>
          <div className="filters places">
            <Choice label="Changes of" value={search.of} options={PLACES} onChange={(of) => change({ of })} />
            <Choice label="Made" value={search.hours} options={TIMES} onChange={(hours) => change({ hours })} />
            <Typed
              label="Resource, and what is below it"
              placeholder="workspaces/main/sources/shop"
              value={search.resource}
              onChange={(resource) => change({ resource })}
            />
          </div>
        </Card>
        <Entries search={search} />
      </div>
    </Page>
  );
}

function Entries({ search }: { readonly search: AuditSearch }) {
  const [count, setCount] = useKept('changes', () => PAGE);
  const entries = useEntries(search, count);
  if (isConfigApiError(entries.error, 'PermissionDenied')) {
    return (
      <Notice tone="idle">
        Changes of workspaces and tokens are shown to tokens that are not bound to workspaces.
      </Notice>
    );
  }
  return (
    <Loaded query={entries}>
      {({ items, hasMore }) => (
        <Card title="Changes" flush>
          {items.length === 0 ? <NoEntries search={search} /> : <AuditTable entries={items} />}
          {hasMore && (
            <div className="more">
              <Button onClick={() => setCount(count + 2 * PAGE)}>Show older changes</Button>
            </div>
          )}
        </Card>
      )}
    </Loaded>
  );
}

function NoEntries({ search }: { readonly search: AuditSearch }) {
  const { slug: workspace } = useWorkspace();
  if (Object.keys(search).length === 0) {
    return (
      <Empty icon="access" title="Nothing has been changed yet">
        Each change of a source, destination, filter, plan or audience is listed here for 90 days.
      </Empty>
    );
  }
  const all = (
    <Link to="/workspaces/$workspace/access/audit" params={{ workspace }} search={{}}>
      Show all changes
    </Link>
  );
  return (
    <Empty icon="access" title="No change matches" action={all}>
      Widen the filter: a longer time, or a resource higher up.
    </Empty>
  );
}

function useEntries({ of, hours, resource }: AuditSearch, count: number) {
  return useRead<Taken<AuditEntry>>(
    ['audit', { of, hours, resource, count }],
    (client, signal, workspace) => {
      const from = hours === undefined ? undefined : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
      const filter = { resource, from, signal, pageSize: count + 1 };
      const { auditEntries } = client;
      return take(of === 'router' ? auditEntries.listRoot(filter) : auditEntries.list(workspace, filter), count);
    },
    { every: 2 * AT_REST_MS },
  );
}

/** A value that is empty asks for nothing. */
function useChangeSearch(search: AuditSearch): (change: { readonly [Key in keyof AuditSearch]?: string }) => void {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '/workspaces/$workspace/access/audit',
      params: { workspace },
      search: readAuditSearch({ ...search, ...change }),
      replace: true,
    });
}
