import type { IconName } from '../ui/icons.tsx';

/** What the navigation leads to; `key` is pressed after `g`. */
export const SCREENS = [
  { to: '/workspaces/$workspace', title: 'Overview', icon: 'overview', key: 'o' },
  { to: '/workspaces/$workspace/sources', title: 'Sources', icon: 'sources', key: 's' },
  { to: '/workspaces/$workspace/destinations', title: 'Destinations', icon: 'destinations', key: 'd' },
  { to: '/workspaces/$workspace/deliveries', title: 'Deliveries', icon: 'deliveries', key: 'e' },
  { to: '/workspaces/$workspace/plans', title: 'Tracking plans', icon: 'plans', key: 't' },
  { to: '/workspaces/$workspace/audiences', title: 'Audiences', icon: 'audiences', key: 'u' },
  { to: '/workspaces/$workspace/computed-traits', title: 'Computed traits', icon: 'traits', key: 'c' },
  { to: '/workspaces/$workspace/privacy', title: 'Privacy', icon: 'privacy', key: 'p' },
  { to: '/workspaces/$workspace/access', title: 'Access', icon: 'access', key: 'a' },
  { to: '/workspaces/$workspace/system', title: 'System', icon: 'system', key: 'y' },
] as const satisfies readonly { to: string; title: string; icon: IconName; key: string }[];

const KINDS =
  /.*\/(deliveries|destinations|sources|plans|audiences|computed-traits|privacy|access|system|new-source|new-destination|new-audience|new-computed-trait|profile)(?:\/|$)/;

/** Screens that stand below another one. */
const BELOW: Readonly<Record<string, string>> = {
  'new-source': 'sources',
  'new-destination': 'sources',
  'new-audience': 'audiences',
  'new-computed-trait': 'computed-traits',
  profile: 'privacy',
};

/** The screen that an address belongs to: the innermost kind of resource in it. */
export function screenOf(pathname: string): string | undefined {
  const [, last] = KINDS.exec(pathname) ?? [];
  if (last === undefined) return 'Overview';
  return SCREENS.find(({ to }) => to.endsWith(`/${BELOW[last] ?? last}`))?.title;
}
