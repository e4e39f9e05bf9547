import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../session/workspace.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { type Kind, useComputed } from './queries.ts';

/** An audience or a computed trait that something is of, by its full name: as people call it, and where it is. */
export function ComputedName({ kind, name }: { readonly kind: Kind; readonly name: string }) {
  const { slug: workspace } = useWorkspace();
  const id = slugOf(name);
  const { data } = useComputed(kind, id);
  return (
    <Link to={`/workspaces/$workspace/${kind}/$id`} params={{ workspace, id }}>
      {data === undefined ? id : titleOf(data)}
    </Link>
  );
}
