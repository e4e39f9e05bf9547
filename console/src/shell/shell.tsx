import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams, useRouteContext } from '@tanstack/react-router';
import { WorkspaceProvider } from '../session/workspace.tsx';
import { Failure } from '../ui/failure.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Keys } from './keys.tsx';
import { Side } from './side.tsx';

/** What is around every screen of a workspace. */
export function Shell() {
  const { workspace: slug } = useParams({ from: '/workspaces/$workspace' });
  const { session } = useRouteContext({ from: '__root__' });
  const { client } = session;
  const self = useQuery({
    queryKey: ['self'],
    queryFn: ({ signal }) => client?.accessTokens.get('access-tokens/self', { signal }) ?? Promise.reject(signedOut()),
    staleTime: Infinity,
  });
  if (client === undefined) return null;
  if (self.error !== null) return <Failure error={self.error} retry={() => void self.refetch()} />;
  if (self.data === undefined) return <Skeleton />;
  const canWrite = self.data.scopes === 'workspace';
  return (
    <WorkspaceProvider value={{ client, slug, name: `workspaces/${slug}`, canWrite }}>
      <div className="shell">
        <Side />
        <main className="main" key={slug}>
          <Outlet />
        </main>
      </div>
      <Keys workspace={slug} />
    </WorkspaceProvider>
  );
}

function signedOut(): Error {
  return new Error('signed out');
}
