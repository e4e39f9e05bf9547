import { useParams } from '@tanstack/react-router';
import { SourceCrumbs } from '../sources/source-crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { SchemaSettings } from './schema-settings.tsx';
import { ViolationsCard } from './violations-card.tsx';

export function SchemaPage() {
  const { source } = useParams({ from: '/workspaces/$workspace/sources/$source/schema' });
  return (
    <Page
      title="Schema"
      lead="How the events of the source differ from its tracking plan, and what becomes of those that do."
      crumbs={<SourceCrumbs source={source} />}
    >
      <div className="stack">
        <ViolationsCard source={source} />
        <SchemaSettings source={source} />
      </div>
    </Page>
  );
}
