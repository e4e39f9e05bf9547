import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { slugOf } from '../ui/names.ts';
import { SCREENS, screenOf } from './screens.ts';
import { ThemeButton } from './theme.tsx';

/** Navigation at the side; on narrow screens behind a button. */
export function Side() {
  const { slug } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  return (
    <aside className="side" data-open={isOpen}>
      <div className="side-top">
        <Link to="/workspaces/$workspace" params={{ workspace: slug }} className="brand">
          <Icon name="waybill" />
          Waybill
        </Link>
        <div className="menu-button">
          <Button
            look="quiet"
            icon={isOpen ? 'close' : 'menu'}
            aria-label="Menu"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </div>
      </div>
      <WorkspacePicker />
      <Navigation onFollow={() => setOpen(false)} />
      <SideFoot />
    </aside>
  );
}

function Navigation({ onFollow }: { readonly onFollow: () => void }) {
  const { slug: workspace } = useWorkspace();
  const current = useLocation({ select: ({ pathname }) => screenOf(pathname) });
  return (
    <nav aria-label="Main">
      <ul className="nav">
        {SCREENS.map(({ to, title, icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ workspace }}
              className={title === current ? 'current' : ''}
              activeOptions={{ exact: true }}
              aria-current={title === current ? 'page' : undefined}
              onClick={onFollow}
            >
              <Icon name={icon} />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function WorkspacePicker() {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const workspaces = useRead(['workspaces'], (client, signal) =>
    Array.fromAsync(client.workspaces.list({ signal, pageSize: 1_000 })),
  );
  const seen = (workspaces.data ?? []).map(({ name, display_name }) => ({ slug: slugOf(name), display_name }));
  // A token of some sources sees none.
  const names = seen.some((workspace) => workspace.slug === slug) ? seen : [{ slug, display_name: '' }, ...seen];
  return (
    <div className="workspace">
      <select
        className="select"
        aria-label="Workspace"
        value={slug}
        onChange={(event) =>
          void navigate({ to: '/workspaces/$workspace', params: { workspace: event.currentTarget.value } })
        }
      >
        {names.map((workspace) => (
          <option key={workspace.slug} value={workspace.slug}>
            {workspace.display_name === '' ? workspace.slug : workspace.display_name}
          </option>
        ))}
      </select>
    </div>
  );
}

function SideFoot() {
  const { canWrite } = useWorkspace();
  const { session } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = async (): Promise<void> => {
    session.signOut();
    queries.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <div className="side-foot">
      <Button look="quiet" icon="exit" onClick={() => void signOut()}>
        Sign out
      </Button>
      <ThemeButton />
      {!canWrite && <span className="badge plain">Read-only</span>}
    </div>
  );
}
