import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isObject } from '../../contract/schemas.ts';
import { portOf } from '../../../server/tests/support/raw-receiver.ts';
import { HOME, type Json, segmentWorkspace } from './segment-workspace.ts';

/** Answers as the service does that this API describes: flat JSON, small pages, plans by PUT, odd errors, and 429. */
export interface SegmentService extends AsyncDisposable {
  readonly url: string;
  /** Everything that was asked, as `GET /workspaces`. */
  readonly asked: string[];
  /** How many of them were answered with 429. */
  refusedCount(): number;
}

export const SEGMENT_TOKEN = 'segment-token-0123456789';
const PAGE = 30;

interface Options {
  /** Where the webhooks of its destinations are, before the number of the source. */
  readonly hookUrl?: string;
  /** How many requests it answers in a minute; without it every 150th is refused. */
  readonly perMinute?: number;
}

interface Service {
  readonly asked: string[];
  readonly found: Map<string, Json | readonly Json[]>;
  /** How long a request has to wait in ms that is refused. */
  readonly waitOf: () => number | undefined;
}

export async function startSegmentService(
  sourceCount: number,
  { hookUrl = 'https://hooks.example.com', perMinute }: Options = {},
): Promise<SegmentService> {
  const asked: string[] = [];
  const waitOf = perMinute === undefined ? everyNow(asked) : inAMinute(perMinute);
  const service: Service = { asked, found: segmentWorkspace(sourceCount, hookUrl), waitOf };
  let refusedCount = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, headers } = answer(request, await text(request), service, refusedCount);
    if (status === 429) refusedCount += 1;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body, null, 1));
  };
  const server = createServer((request, response) => void serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    refusedCount: () => refusedCount,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Every so many requests one is refused. */
function everyNow(asked: readonly string[]): Service['waitOf'] {
  return () => (asked.length % 150 === 5 ? 1_000 : undefined);
}

function inAMinute(limit: number): Service['waitOf'] {
  const served: number[] = [];
  return () => {
    const now = Date.now();
    const oldest = served.at(-limit) ?? Number.NEGATIVE_INFINITY;
    if (oldest > now - 60_000) return oldest + 60_000 - now;
    served.push(now);
    return undefined;
  };
}

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

function answer(request: IncomingMessage, given: string, { asked, found, waitOf }: Service, refused: number): Answer {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
  asked.push(`${request.method} ${pathname}`);
  if (request.headers.authorization !== `Bearer ${SEGMENT_TOKEN}`)
    return { status: 401, body: { error: 'the provided access token is not valid', code: 16 } };
  const waitMs = waitOf();
  if (waitMs !== undefined) return refusal(waitMs, refused);
  const path = pathname.replace('/v1beta/', '');
  const one = found.get(path);
  if (request.method === 'PUT' && one !== undefined && !isList(one)) return put(path, one, given, found);
  if (request.method !== 'GET' || one === undefined) return missing(pathname);
  return isList(one) ? page(pathname, one, Number(searchParams.get('page_token') ?? 0)) : { status: 200, body: one };
}

function page(path: string, all: readonly Json[], start: number): Answer {
  const next = start + PAGE < all.length ? String(start + PAGE) : '';
  const plural = path.endsWith('/source-connections') ? 'connections' : (path.split('/').at(-1) ?? '');
  return { status: 200, body: { [plural.replace('-', '_')]: all.slice(start, start + PAGE), next_page_token: next } };
}

/** It says how long to wait every other time. */
function refusal(waitMs: number, refused: number): Answer {
  const headers = refused % 2 === 0 ? { 'Retry-After': String(Math.ceil(waitMs / 1_000)) } : {};
  return { status: 429, body: { error: 'too many requests', code: 8 }, headers };
}

/** Tracking plans are changed so, and no other way: what the mask lists, and the plan itself is the answer. */
function put(path: string, plan: Json, given: string, found: Service['found']): Answer {
  const list = `${HOME}/tracking-plans`;
  const all = found.get(list);
  if (!path.startsWith(`${list}/`) || all === undefined || !isList(all)) return missing(path);
  const { tracking_plan: sent, update_mask: mask }: Json = JSON.parse(given);
  const paths = isObject(mask) && Array.isArray(mask['paths']) ? mask['paths'].map(String) : [];
  const names = paths.map((one) => one.replace('tracking_plan.', ''));
  const changed = Object.fromEntries(names.map((name) => [name, isObject(sent) ? sent[name] : undefined]));
  const body: Json = { ...plan, ...changed, update_time: '2026-11-20T12:00:00Z' };
  found.set(path, body);
  found.set(
    list,
    all.map((one) => (one['name'] === body['name'] ? body : one)),
  );
  return { status: 200, body };
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
