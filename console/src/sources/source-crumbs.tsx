import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../session/workspace.tsx';

/** What stands above a source, and with its slug above what is below it. */
export function SourceCrumbs({ source }: { readonly source?: string }) {
  const { slug: workspace } = useWorkspace();
  return (
    <>
      <Link to="/workspaces/$workspace/sources" params={{ workspace }}>
        Sources
      </Link>
      {source !== undefined && (
        <Link to="/workspaces/$workspace/sources/$source" params={{ workspace, source }}>
          {source}
        </Link>
      )}
    </>
  );
}
