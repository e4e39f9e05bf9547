import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../session/workspace.tsx';

/** The views of Access. */
export function AccessTabs() {
  const { slug: workspace } = useWorkspace();
  const shared = { params: { workspace }, activeOptions: { exact: true, includeSearch: false } };
  return (
    <nav className="tabs" aria-label="Access">
      <Link to="/workspaces/$workspace/access" {...shared}>
        Tokens
      </Link>
      <Link to="/workspaces/$workspace/access/audit" {...shared}>
        Audit
      </Link>
      <Link to="/workspaces/$workspace/access/quota" {...shared}>
        Quota
      </Link>
    </nav>
  );
}
