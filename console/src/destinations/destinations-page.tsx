import { useState } from 'react';
import { type Source, useSources } from '../sources/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { Search } from '../ui/search.tsx';
import { isNamed } from '../ui/searched-table.tsx';
import { DestinationsCard } from './destinations-card.tsx';

/** Each source is a request of its own. */
const AT_ONCE = 6;

export function DestinationsPage() {
  const { slug, canWrite } = useWorkspace();
  const sources = useSources();
  const toSources = canWrite && (
    <ButtonLink to="/workspaces/$workspace/new-source" params={{ workspace: slug }} look="primary" icon="plus">
      New source
    </ButtonLink>
  );
  return (
    <Page title="Destinations" lead="Where events go, source by source.">
      <Loaded query={sources}>
        {(list) => (
          <div className="stack">
            {list.length === 0 && (
              <Card>
                <Empty icon="destinations" title="No sources yet" action={toSources}>
                  A destination gets the events of a source. Create a source first.
                </Empty>
              </Card>
            )}
            <SourcesWithDestinations sources={list} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function SourcesWithDestinations({ sources }: { readonly sources: readonly Source[] }) {
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(AT_ONCE);
  const found = sources.filter((source) => isNamed(source, search));
  return (
    <>
      {sources.length > AT_ONCE && (
        <Card flush>
          <Search label="Search sources" onChange={setSearch} />
        </Card>
      )}
      {found.slice(0, shown).map((source) => (
        <DestinationsCard key={source.name} source={slugOf(source.name)} title={titleOf(source)} />
      ))}
      {found.length > shown && <Button onClick={() => setShown(shown + AT_ONCE)}>Show more sources</Button>}
    </>
  );
}
