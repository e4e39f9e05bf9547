import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startRouterProcess } from '../router/router-process.ts';
import type { BareAnswer } from './bare-koa.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { ask, startChild, urlOf } from './child.ts';
import { fillConfigStore } from './config-store-filling.ts';
import { figuresOf, median, type Row } from './figures.ts';
import { inFolder } from './folder.ts';

const TOKEN = 'token-of-the-bench';
const [WORKSPACES, SOURCES] = [100, 10_000] as const;
/** Reads are asked over some connections, as fast as they are answered; changes one after the other, so that none shares a sync. */
const [READS, CHANGES] = [
  { count: 4_000, connections: 16 },
  { count: 400, connections: 1 },
] as const;
/** Each side has so many turns, and a first one that does not count. */
const TURNS = 5;

const REQUESTS = {
  list: { method: 'GET', path: '/v1beta/workspaces/w0/sources', ...READS },
  get: { method: 'GET', path: '/v1beta/workspaces/w0/sources/s0', ...READS },
  patch: {
    method: 'PATCH',
    path: '/v1beta/workspaces/w0/sources/s0',
    body: JSON.stringify({ source: { display_name: 'again' }, update_mask: { paths: ['source.display_name'] } }),
    ...CHANGES,
  },
} as const;

interface Asked {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: string | null;
  readonly count: number;
  readonly connections: number;
}

type Name = keyof typeof REQUESTS;

/** Requests per second of both sides. */
interface Rates {
  readonly ours: number;
  readonly floor: number;
}

export const configFloor: Bench = {
  name: 'config-floor',
  about:
    'Config API with 10 000 sources in 100 workspaces, against bare Koa that answers, or writes and syncs, the same bytes',
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'config-floor', () => measure(wish));
    return figuresOf(runs, [
      ...rowsOf('list', 'List, a page of 100'),
      ...rowsOf('get', 'Get'),
      ...rowsOf('patch', 'PATCH'),
    ]);
  },
};

function rowsOf(name: Name, what: string): Row<Record<Name, Rates>>[] {
  return [
    [`${what}, against bare Koa`, '', (run) => run[name].ours / run[name].floor, { atLeast: 0.5 }],
    [what, '/s', (run) => run[name].ours],
    [`${what}: bare Koa`, '/s', (run) => run[name].floor],
  ];
}

function measure(wish: Wish): Promise<Record<Name, Rates>> {
  return inFolder(async (folder) => {
    const data = join(folder, 'data');
    await fillConfigStore(data, { workspaces: WORKSPACES, sources: SOURCES }, TOKEN);
    await using router = await startRouterProcess({ port: '0', 'data-dir': data, 'rate-limit': '0' });
    const child = startChild('./bare-koa.ts', join(folder, 'bare.json'));
    const bare = await urlOf(child);
    const bytes = workspaceBytes(join(data, 'config'));
    const against = async (name: Name): Promise<Rates> => {
      const request: Asked = { ...REQUESTS[name], count: sized(REQUESTS[name].count, wish) };
      const text = await textOf(router.url, request);
      await ask(child, { text, bytes } satisfies BareAnswer);
      return ratesOf(router.url, bare, request);
    };
    const rates = { list: await against('list'), get: await against('get'), patch: await against('patch') };
    child.disconnect();
    return rates;
  });
}

/** All workspaces have as many sources. */
function workspaceBytes(config: string): number {
  const files = readdirSync(config).filter((name) => !name.startsWith('root.') && name.includes('.json'));
  return median(files.map((name) => statSync(join(config, name)).size));
}

async function textOf(url: string, request: Asked): Promise<string> {
  const pool = new Pool(url, { connections: 1, allowH2: false });
  const text = await once(pool, request);
  await pool.close();
  return text;
}

/** In turn, so that a machine that changes its speed changes it for both. */
async function ratesOf(ours: string, floor: string, request: Asked): Promise<Rates> {
  const spent = { ours: 0, floor: 0 };
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const [oursMs, floorMs] = [await spentMs(ours, request), await spentMs(floor, request)];
    if (turn === 0) continue;
    spent.ours += oursMs;
    spent.floor += floorMs;
  }
  const rate = (ms: number): number => (1_000 * TURNS * request.count) / ms;
  return { ours: rate(spent.ours), floor: rate(spent.floor) };
}

async function spentMs(url: string, request: Asked): Promise<number> {
  const pool = new Pool(url, { connections: request.connections, pipelining: 1, allowH2: false });
  let left = request.count;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: request.connections }, async () => {
      while (left-- > 0) await once(pool, request);
    }),
  );
  const took = performance.now() - began;
  await pool.close();
  return took;
}

async function once(pool: Pool, { method, path, body = null }: Asked): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await pool.request({ method, path, body, headers });
  const text = await answer.body.text();
  if (answer.statusCode !== 200)
    throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  return text;
}
