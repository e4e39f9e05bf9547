import { useNavigate } from '@tanstack/react-router';
import type { CatalogSource } from '@waybill/client/config';
import { type FormEvent, useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugFrom, slugOf } from '../ui/names.ts';
import { NameFields } from '../ui/name-fields.tsx';
import { Page } from '../ui/page.tsx';
import { ChosenNotices, NOTICES_KIND } from './notices-card.tsx';
import { useCatalog } from './queries.ts';
import { SourceCrumbs } from './source-crumbs.tsx';

export function NewSourcePage() {
  const catalog = useCatalog();
  return (
    <Page
      title="New source"
      lead="Choose what will send events: it decides which snippet you are shown. Waybill notices come from the router itself."
      crumbs={<SourceCrumbs />}
    >
      <Loaded query={catalog}>{(entries) => <NewSourceForm catalog={distinct(entries)} />}</Loaded>
    </Page>
  );
}

/** Some kinds stand in the catalog under two names. */
function distinct(entries: readonly CatalogSource[]): readonly CatalogSource[] {
  return [...new Map(entries.map((entry) => [entry.display_name, entry])).values()];
}

function NewSourceForm({ catalog }: { readonly catalog: readonly CatalogSource[] }) {
  const { slug: workspace } = useWorkspace();
  const [kind, setKind] = useState('catalog/sources/javascript');
  const [title, setTitle] = useState('');
  const [slug, setSlug] = useState<string>();
  const id = slug ?? slugFrom(title);
  const create = useCreateSource();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ id, display_name: title, catalog_name: kind });
  };
  return (
    <form className="stack form" onSubmit={submit}>
      <Kinds catalog={catalog} chosen={kind} onChoose={setKind} />
      {kind === NOTICES_KIND && <ChosenNotices />}
      <Card>
        <NameFields what="source" title={title} slug={id} error={create.error} onTitle={setTitle} onSlug={setSlug} />
      </Card>
      {create.error !== null && <Failure error={create.error} />}
      <div className="row">
        <Button look="primary" type="submit" disabled={create.isPending || id === ''}>
          Create source
        </Button>
        <ButtonLink to="/workspaces/$workspace/sources" params={{ workspace }}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}

interface NewSource {
  readonly id: string;
  readonly display_name: string;
  readonly catalog_name: string;
}

function useCreateSource() {
  const { name, slug } = useWorkspace();
  const navigate = useNavigate();
  return useChange(
    (client, { id, ...fields }: NewSource) => client.sources.create({ name: `${name}/sources/${id}`, ...fields }),
    [['sources']],
    (made) =>
      void navigate({
        to: '/workspaces/$workspace/sources/$source',
        params: { workspace: slug, source: slugOf(made.name) },
      }),
  );
}

interface KindsProps {
  readonly catalog: readonly CatalogSource[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

function Kinds({ catalog, chosen, onChoose }: KindsProps) {
  return (
    <fieldset className="kinds">
      <legend className="hidden-visually">Kind of source</legend>
      {catalog.map(({ name, display_name, categories }) => (
        <label key={name} className="kind">
          <input type="radio" name="kind" checked={name === chosen} onChange={() => onChoose(name)} />
          <strong>{display_name}</strong>
          <span className="muted small">{categories.join(', ')}</span>
        </label>
      ))}
    </fieldset>
  );
}
