import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { SearchedTable } from '../ui/searched-table.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { type Source, useSources } from './queries.ts';

export function SourcesPage() {
  const sources = useSources();
  return (
    <Page
      title="Sources"
      lead="Where events come from: a website, an app, a service."
      actions={<NewSourceLink look="primary" />}
    >
      <Loaded query={sources}>
        {(list) => (
          <Card flush>
            {list.length === 0 ? (
              <NoSources />
            ) : (
              <SearchedTable label="Sources" icon="sources" columns={COLUMNS} rows={list} />
            )}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}

function NewSourceLink({ look }: { readonly look: 'primary' }) {
  const { slug, canWrite } = useWorkspace();
  if (!canWrite) return null;
  return (
    <ButtonLink to="/workspaces/$workspace/new-source" params={{ workspace: slug }} look={look} icon="plus">
      New source
    </ButtonLink>
  );
}

function NoSources() {
  return (
    <Empty icon="sources" title="No sources yet" action={<NewSourceLink look="primary" />}>
      A source has the write key that your SDK sends events with. Create one, and its page shows the line of code to
      paste.
    </Empty>
  );
}

const COLUMNS: readonly Column<Source>[] = [
  { title: 'Name', cell: (source) => <SourceLink source={source} /> },
  { title: 'Kind', cell: ({ catalog_name }) => <span className="muted">{slugOf(catalog_name)}</span> },
  { title: 'Write keys', cell: ({ write_keys }) => <span className="number">{write_keys.length}</span> },
  {
    title: 'Created',
    end: true,
    cell: ({ create_time }) => (
      <span className="muted">
        <Time value={create_time} />
      </span>
    ),
  },
];

function SourceLink({ source }: { readonly source: Source }) {
  const { slug } = useWorkspace();
  const id = slugOf(source.name);
  return (
    <div>
      <Link to="/workspaces/$workspace/sources/$source" params={{ workspace: slug, source: id }} className="row-link">
        {titleOf(source)}
      </Link>
      {titleOf(source) !== id && <div className="muted mono small">{id}</div>}
    </div>
  );
}
