/** What the described service has of a workspace: shapes as its clients see them. */
export type Json = Readonly<Record<string, unknown>>;

export const HOME = 'workspaces/acme';

export function writeKeyOf(source: number): string {
  return `${source}`.padStart(32, 'k');
}

/** By path: resources, and lists of them. */
export function segmentWorkspace(sourceCount: number, hookUrl: string): Map<string, Json | readonly Json[]> {
  const sources = Array.from({ length: sourceCount }, (_, index) => sourceOf(index));
  const plans = [shopPlan(), refusedPlan(), ...teamPlans(sourceCount)];
  return new Map<string, Json | readonly Json[]>([
    ['workspaces', [{ name: HOME, display_name: 'Acme', id: 'e5bdb0902b', create_time: '2018-08-08T13:24:02.651Z' }]],
    [HOME, { name: HOME, display_name: 'Acme' }],
    [`${HOME}/sources`, sources],
    [`${HOME}/tracking-plans`, plans.map(({ plan }) => plan)],
    ...plans.flatMap(({ plan, sources: connected }) => [
      [String(plan['name']), plan] as const,
      [`${String(plan['name'])}/source-connections`, connected.map((source) => connection(source, plan))] as const,
    ]),
    ...sources.flatMap((source, index) => belowSource(String(source['name']), index, hookUrl)),
  ]);
}

/** With the numbers of its sources. */
interface ConnectedPlan {
  readonly plan: Json;
  readonly sources: readonly number[];
}

const shopPlan = (): ConnectedPlan => ({ plan: planOf(1, 'Shop', ['Order Completed']), sources: [0] });

/** With a rule that this router does not take. */
function refusedPlan(): ConnectedPlan {
  const rules = { events: [{ name: 'A', version: 1, rules: { properties: { event: { pattern: '(?=a)b' } } } }] };
  return { plan: { ...planOf(2, 'Look-around', []), rules }, sources: [] };
}

/** Every twenty sources have one, but for the first of them. */
function teamPlans(sourceCount: number): readonly ConnectedPlan[] {
  return Array.from({ length: Math.floor(sourceCount / TEAM) }, (_, team) => {
    const events = Array.from({ length: 25 }, (__, event) => `Team ${team} Did ${event}`);
    const sources = Array.from({ length: TEAM - 1 }, (__, index) => team * TEAM + index + 1);
    return { plan: planOf(10 + team, `Team ${team}`, events), sources };
  });
}

const TEAM = 20;

function planOf(id: number, title: string, events: readonly string[]): Json {
  const rules = { type: 'object', properties: null, required: null };
  return {
    name: `${HOME}/tracking-plans/rs_${String(id).padStart(27, '0')}`,
    display_name: title,
    rules: { events: events.map((name) => ({ name, version: 1, rules })) },
    create_time: '2019-02-05T00:08:27Z',
  };
}

function connection(source: number, plan: Json): Json {
  const id = String(plan['name']).split('/').at(-1);
  return { source_name: `${HOME}/sources/source-${source}`, tracking_plan_id: id };
}

function sourceOf(index: number): Json {
  return {
    name: `${HOME}/sources/source-${index}`,
    parent: HOME,
    catalog_name: 'catalog/sources/javascript',
    write_keys: [writeKeyOf(index)],
    library_config: { metrics_enabled: false, retry_queue: true, cross_domain_id_enabled: false, api_host: '' },
    create_time: '2018-09-25T23:02:37.153Z',
    labels: { team: 'web' },
  };
}

function belowSource(
  source: string,
  index: number,
  hookUrl: string,
): readonly (readonly [string, Json | readonly Json[]])[] {
  const webhooks = `${source}/destinations/webhooks`;
  const analytics = `${source}/destinations/google-analytics`;
  const hooks = [{ hook: `${hookUrl}/${index}`, headers: [{ key: 'X-Team', value: 'web' }] }];
  const own = [
    {
      ...parts(webhooks, source),
      config: [
        entry(webhooks, 'hooks', 'mixed', hooks),
        entry(webhooks, 'sharedSecret', 'string', `secret-${index}`),
        entry(webhooks, 'globalHook', 'string', ''),
      ],
    },
    { ...parts(analytics, source), config: [entry(analytics, 'trackingId', 'string', 'UA-970334309-1')] },
  ];
  const filter = {
    name: `${webhooks}/config/5d0ac1d7f12dd70001ccf7a8/filters/df_1ccf7a8`,
    title: 'No tests',
    description: '',
    if: 'event = "Test"',
    actions: [{ type: 'drop_event' }],
    enabled: true,
  };
  return [
    [`${source}/destinations`, own],
    // Most filters and schema settings were never set up.
    ...(index % 5 === 0 ? [[`${webhooks}/filters`, [filter]] as const] : []),
    ...(index % 5 === 0
      ? [
          [
            `${source}/schema-config`,
            {
              name: `${source}/schema-config`,
              parent: source,
              allow_unplanned_track_events: false,
              forwarding_blocked_events_to: 'source-1',
            },
          ] as const,
        ]
      : []),
  ];
}

function entry(destination: string, key: string, type: string, value: unknown): Json {
  return { name: `${destination}/config/${key}`, type, value };
}

function parts(name: string, parent: string): Json {
  return {
    name,
    parent,
    display_name: 'Destination',
    enabled: true,
    connection_mode: 'CLOUD',
    create_time: '2018-10-01T18:03:57.365Z',
  };
}
