import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  redirect,
} from '@tanstack/react-router';
import { readAuditSearch } from './access/audit-search.ts';
import { readDeliverySearch } from './deliveries/search.ts';
import { readUserSearch } from './session/search-text.ts';
import type { Session } from './session/session.ts';
import { SignInPage } from './session/sign-in.tsx';
import { Shell } from './shell/shell.tsx';
import { Empty } from './ui/empty.tsx';
import { Failure } from './ui/failure.tsx';
import { slugOf } from './ui/names.ts';

interface Context {
  readonly session: Session;
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  notFoundComponent: () => (
    <Empty icon="info" title="There is no such page" action={<Link to="/">To the start</Link>}>
      The address leads nowhere in this console.
    </Empty>
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search: Record<string, unknown>): { to?: string; reason?: string } => ({
    // Only addresses of the console itself.
    ...(typeof search['to'] === 'string' && search['to'].startsWith('/console/') ? { to: search['to'] } : {}),
    ...(search['reason'] === 'ended' ? { reason: 'ended' } : {}),
  }),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context: { session }, location }) => {
    if (session.client === undefined) throw redirect({ to: '/sign-in', search: toAfter(location.publicHref) });
    for await (const { name } of session.client.workspaces.list({ pageSize: 1 })) {
      throw redirect({ to: '/workspaces/$workspace', params: { workspace: slugOf(name) } });
    }
    // A token of some sources or destinations sees no workspace.
    const { resource_names: [first] = [] } = await session.client.accessTokens.get('access-tokens/self');
    if (first !== undefined) throw redirectTo(first);
  },
  component: () => (
    <Empty icon="info" title="There is no workspace" action={<Link to="/sign-in">Sign in with another token</Link>}>
      Make one with <code>waybill workspaces create</code>, and load this page again.
    </Empty>
  ),
});

/** To the page of a source or a destination. */
function redirectTo(name: string) {
  const [, workspace = '', , source = '', , destination] = name.split('/');
  const params = { workspace, source };
  if (destination === undefined) return redirect({ to: '/workspaces/$workspace/sources/$source', params });
  const to = '/workspaces/$workspace/sources/$source/destinations/$destination';
  return redirect({ to, params: { ...params, destination } });
}

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/workspaces/$workspace',
  component: Shell,
  beforeLoad: ({ context: { session }, location }) => {
    if (session.client === undefined) throw redirect({ to: '/sign-in', search: toAfter(location.publicHref) });
  },
});

function toAfter(href: string): { to?: string } {
  return href.startsWith('/console/workspaces/') ? { to: href } : {};
}

const home = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});

const sources = createRoute({
  getParentRoute: () => workspace,
  path: '/sources',
  component: lazyRouteComponent(() => import('./sources/sources-page.tsx'), 'SourcesPage'),
});

const newSource = createRoute({
  getParentRoute: () => workspace,
  path: '/new-source',
  component: lazyRouteComponent(() => import('./sources/new-source-page.tsx'), 'NewSourcePage'),
});

const source = createRoute({
  getParentRoute: () => workspace,
  path: '/sources/$source',
  component: lazyRouteComponent(() => import('./sources/source-page.tsx'), 'SourcePage'),
});

const liveEvents = createRoute({
  getParentRoute: () => workspace,
  path: '/sources/$source/live',
  component: lazyRouteComponent(() => import('./live/live-events-page.tsx'), 'LiveEventsPage'),
});

const schema = createRoute({
  getParentRoute: () => workspace,
  path: '/sources/$source/schema',
  component: lazyRouteComponent(() => import('./schema/schema-page.tsx'), 'SchemaPage'),
});

const plans = createRoute({
  getParentRoute: () => workspace,
  path: '/plans',
  component: lazyRouteComponent(() => import('./plans/plans-page.tsx'), 'PlansPage'),
});

const plan = createRoute({
  getParentRoute: () => workspace,
  path: '/plans/$plan',
  component: lazyRouteComponent(() => import('./plans/plan-page.tsx'), 'PlanPage'),
});

const destinations = createRoute({
  getParentRoute: () => workspace,
  path: '/destinations',
  component: lazyRouteComponent(() => import('./destinations/destinations-page.tsx'), 'DestinationsPage'),
});

const newDestination = createRoute({
  getParentRoute: () => workspace,
  path: '/sources/$source/new-destination',
  component: lazyRouteComponent(() => import('./destinations/new-destination-page.tsx'), 'NewDestinationPage'),
});

const destination = createRoute({
  getParentRoute: () => workspace,
  path: '/sources/$source/destinations/$destination',
  component: lazyRouteComponent(() => import('./destinations/destination-page.tsx'), 'DestinationPage'),
});

const deliveries = createRoute({
  getParentRoute: () => workspace,
  path: '/deliveries',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
});

const delivery = createRoute({
  getParentRoute: () => workspace,
  path: '/sources/$source/destinations/$destination/deliveries/$delivery',
  component: lazyRouteComponent(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
});

const access = createRoute({
  getParentRoute: () => workspace,
  path: '/access',
  component: lazyRouteComponent(() => import('./access/access-page.tsx'), 'AccessPage'),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/access/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./access/audit-page.tsx'), 'AuditPage'),
});

const quota = createRoute({
  getParentRoute: () => workspace,
  path: '/access/quota',
  component: lazyRouteComponent(() => import('./access/quota-page.tsx'), 'QuotaPage'),
});

const privacy = createRoute({
  getParentRoute: () => workspace,
  path: '/privacy',
  component: lazyRouteComponent(() => import('./privacy/privacy-page.tsx'), 'PrivacyPage'),
});

const system = createRoute({
  getParentRoute: () => workspace,
  path: '/system',
  component: lazyRouteComponent(() => import('./system/system-page.tsx'), 'SystemPage'),
});

const audiences = createRoute({
  getParentRoute: () => workspace,
  path: '/audiences',
  component: lazyRouteComponent(() => import('./audiences/audiences-page.tsx'), 'AudiencesPage'),
});

const newAudience = createRoute({
  getParentRoute: () => workspace,
  path: '/new-audience',
  component: lazyRouteComponent(() => import('./audiences/new-audience-page.tsx'), 'NewAudiencePage'),
});

const audience = createRoute({
  getParentRoute: () => workspace,
  path: '/audiences/$id',
  component: lazyRouteComponent(() => import('./audiences/audience-page.tsx'), 'AudiencePage'),
});

const member = createRoute({
  getParentRoute: () => workspace,
  path: '/audiences/$id/member',
  validateSearch: readUserSearch,
  component: lazyRouteComponent(() => import('./audiences/member-page.tsx'), 'MemberPage'),
});

const computedTraits = createRoute({
  getParentRoute: () => workspace,
  path: '/computed-traits',
  component: lazyRouteComponent(() => import('./audiences/audiences-page.tsx'), 'ComputedTraitsPage'),
});

const newComputedTrait = createRoute({
  getParentRoute: () => workspace,
  path: '/new-computed-trait',
  component: lazyRouteComponent(() => import('./audiences/new-audience-page.tsx'), 'NewComputedTraitPage'),
});

const computedTrait = createRoute({
  getParentRoute: () => workspace,
  path: '/computed-traits/$id',
  component: lazyRouteComponent(() => import('./audiences/audience-page.tsx'), 'ComputedTraitPage'),
});

const profile = createRoute({
  getParentRoute: () => workspace,
  path: '/profile',
  validateSearch: readUserSearch,
  component: lazyRouteComponent(() => import('./privacy/profile-page.tsx'), 'ProfilePage'),
});

const screens = [
  access,
  audit,
  quota,
  privacy,
  system,
  home,
  sources,
  newSource,
  source,
  liveEvents,
  schema,
  plans,
  plan,
  destinations,
  newDestination,
  destination,
  deliveries,
  delivery,
  audiences,
  newAudience,
  audience,
  member,
  computedTraits,
  newComputedTrait,
  computedTrait,
  profile,
] as const;
const routeTree = root.addChildren([start, signIn, workspace.addChildren(screens)]);

/** An address for every view: those of resources are their names. */
export function createConsoleRouter(context: Context) {
  return createRouter({
    routeTree,
    context,
    basepath: '/console',
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
    scrollRestoration: true,
    // What a view does not know of its address is no part of what it reads.
    search: { strict: true },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
