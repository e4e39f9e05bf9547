import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { portOf } from '../../../server/tests/support/raw-receiver.ts';

type Json = Readonly<Record<string, unknown>>;

/** Answers as the service does that this API describes: flat JSON, small pages, odd errors, and 429 now and then. */
export interface SegmentService extends AsyncDisposable {
  readonly url: string;
  /** Everything that was asked, as `GET /workspaces`. */
  readonly asked: string[];
}

export const SEGMENT_TOKEN = 'segment-token-0123456789';
export function writeKeyOf(source: number): string {
  return `${source}`.padStart(32, 'k');
}

const HOME = 'workspaces/acme';

/** Every so many requests one is refused. */
const REFUSED = 150;
const PAGE = 30;

/** `hookUrl` is where the webhooks of its destinations are, before the number of the source. */
export async function startSegmentService(
  sourceCount: number,
  hookUrl = 'https://hooks.example.com',
): Promise<SegmentService> {
  const asked: string[] = [];
  const answers = answersOf(sourceCount, hookUrl);
  const server = createServer((request, response) => {
    const { status, body, headers } = answer(request, asked, answers);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body, null, 1));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

function answer(
  request: IncomingMessage,
  asked: string[],
  answers: ReadonlyMap<string, Json | readonly Json[]>,
): Answer {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
  asked.push(`${request.method} ${pathname}`);
  if (request.headers.authorization !== `Bearer ${SEGMENT_TOKEN}`)
    return { status: 401, body: { error: 'the provided access token is not valid', code: 16 } };
  if (asked.length % REFUSED === 5) return refused(asked.length);
  const found = answers.get(pathname.replace('/v1beta/', ''));
  if (found === undefined) return missing(pathname);
  if (!isList(found)) return { status: 200, body: found };
  const start = Number(searchParams.get('page_token') ?? 0);
  const next = start + PAGE < found.length ? String(start + PAGE) : '';
  const plural = pathname.endsWith('/source-connections') ? 'connections' : (pathname.split('/').at(-1) ?? '');
  return { status: 200, body: { [plural.replace('-', '_')]: found.slice(start, start + PAGE), next_page_token: next } };
}

/** It says how long to wait every other time. */
function refused(count: number): Answer {
  const isTold = Math.floor(count / REFUSED) % 2 === 0;
  const headers = isTold ? { 'Retry-After': '1' } : {};
  return { status: 429, body: { error: 'too many requests', code: 8 }, headers };
}

function isList(found: Json | readonly Json[]): found is readonly Json[] {
  return Array.isArray(found);
}

/** What was never set up is not simply missing. */
function missing(path: string): Answer {
  if (path.endsWith('/schema-config'))
    return {
      status: 500,
      body: { error: 'runtime error: invalid memory address or nil pointer dereference', code: 13 },
    };
  if (path.endsWith('/filters')) return { status: 400, body: { error: 'filter does not exist', code: 3 } };
  return { status: 404, body: { error: 'not found', code: 5 } };
}

function answersOf(sourceCount: number, hookUrl: string): ReadonlyMap<string, Json | readonly Json[]> {
  const sources = Array.from({ length: sourceCount }, (_, index) => sourceOf(index));
  const plan = {
    name: `${HOME}/tracking-plans/rs_${'1'.repeat(27)}`,
    display_name: 'Shop',
    rules: {
      events: [{ name: 'Order Completed', version: 1, rules: { type: 'object', properties: null, required: null } }],
    },
    create_time: '2019-02-05T00:08:27Z',
  };
  const ugly = { ...plan, name: `${HOME}/tracking-plans/rs_${'2'.repeat(27)}`, display_name: 'Look-around' };
  const rules = { events: [{ name: 'A', version: 1, rules: { properties: { event: { pattern: '(?=a)b' } } } }] };
  const connections = [{ source_name: `${HOME}/sources/source-0`, tracking_plan_id: 'rs_1' }];
  return new Map<string, Json | readonly Json[]>([
    ['workspaces', [{ name: HOME, display_name: 'Acme', id: 'e5bdb0902b', create_time: '2018-08-08T13:24:02.651Z' }]],
    [HOME, { name: HOME, display_name: 'Acme' }],
    [`${HOME}/sources`, sources],
    [`${HOME}/tracking-plans`, [plan, { ...ugly, rules }]],
    [`${plan.name}/source-connections`, connections],
    [`${ugly.name}/source-connections`, []],
    ...sources.flatMap((source, index) => belowSource(String(source['name']), index, hookUrl)),
  ]);
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
    ...(index === 0 ? [[`${webhooks}/filters`, [filter]] as const] : []),
    ...(index === 0
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
