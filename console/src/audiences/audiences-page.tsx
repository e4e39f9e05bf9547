import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { countText } from '../ui/numbers.ts';
import { Page } from '../ui/page.tsx';
import { Search } from '../ui/search.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { WORDS } from './kinds.ts';
import { type Computed, type Kind, useComputedList } from './queries.ts';
import { StateBadge } from './state-badge.tsx';

/** So many are seen without searching. */
const FEW = 8;

export function AudiencesPage() {
  return <ComputedListPage kind="audiences" />;
}

export function ComputedTraitsPage() {
  return <ComputedListPage kind="computed-traits" />;
}

function ComputedListPage({ kind }: { readonly kind: Kind }) {
  const { canWrite } = useWorkspace();
  const list = useComputedList(kind);
  const [wanted, setWanted] = useState('');
  const { title, lead, emptyTitle, empty, icon } = WORDS[kind];
  return (
    <Page title={title} lead={lead} actions={canWrite && <NewLink kind={kind} />}>
      <Loaded query={list}>
        {(all) => (
          <Card flush>
            {all.length > FEW && <Search label={`Find ${title.toLowerCase()}`} onChange={setWanted} />}
            {all.length === 0 ? (
              <Empty icon={icon} title={emptyTitle} action={canWrite && <NewLink kind={kind} />}>
                {empty}
              </Empty>
            ) : (
              <Table
                label={title}
                columns={columnsOf(kind)}
                rows={all.filter((one) => isFound(one, wanted))}
                keyOf={({ name }) => name}
              />
            )}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}

function isFound({ display_name: title, key, name }: Computed, wanted: string): boolean {
  return [title, key, name].some((text) => text.toLowerCase().includes(wanted));
}

function NewLink({ kind }: { readonly kind: Kind }) {
  const { slug: workspace } = useWorkspace();
  const to = kind === 'audiences' ? 'new-audience' : 'new-computed-trait';
  return (
    <ButtonLink to={`/workspaces/$workspace/${to}`} params={{ workspace }} look="primary" icon="plus">
      New {WORDS[kind].one}
    </ButtonLink>
  );
}

function columnsOf(kind: Kind): readonly Column<Computed>[] {
  return [
    { title: 'Name', cell: (one) => <ComputedLink kind={kind} one={one} /> },
    { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      title: WORDS[kind].size,
      cell: ({ size }) => <span className="number">{size === undefined ? '–' : countText(size)}</span>,
    },
    {
      title: 'Destinations',
      cell: ({ destinations: { length } }) => <span className="number">{length === 0 ? 'none' : length}</span>,
    },
    {
      title: 'Last sync',
      end: true,
      cell: ({ last_sync: sync }) => (
        <span className="muted">{sync === undefined ? 'none yet' : <Time value={sync.start_time} />}</span>
      ),
    },
  ];
}

function ComputedLink({ kind, one }: { readonly kind: Kind; readonly one: Computed }) {
  const { slug: workspace } = useWorkspace();
  return (
    <div>
      <Link to={`/workspaces/$workspace/${kind}/$id`} params={{ workspace, id: slugOf(one.name) }} className="row-link">
        {titleOf(one)}
      </Link>
      <div className="muted small mono">{one.key}</div>
    </div>
  );
}
