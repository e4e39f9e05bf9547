import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startRouterProcess } from '../router/router-process.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { type AuditCost, auditCost } from './audited-changes.ts';
import { fillConfigStore } from './config-store-filling.ts';
import { figuresOf, median } from './figures.ts';
import { inFolder } from './folder.ts';

const TOKEN = 'token-of-the-bench';
const [WARM_UP, ROUNDS, STARTS] = [30, 300, 5];
const [FEW, MANY] = [10, 10_000];
/** Ten in each of the 100 workspaces: those that are asked for. */
const LEAST_MANY = 1_000;

interface Times {
  readonly startMs: number;
  readonly patchMs: number;
  readonly pageMs: number;
}

interface Run {
  readonly few: Times;
  readonly many: Times;
  /** As few, with its secrets encrypted. */
  readonly sealed: Times;
  readonly audit: AuditCost;
}

/** All routers run at once and are asked in turn, so that what else the machine does weighs on all alike. */
export const config: Bench = {
  name: 'config',
  about: 'Config API and start with 10 000 sources in 100 workspaces, against 10 sources',
  runs: 1,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'config', () => measure(wish));
    return figuresOf(runs, [
      ['PATCH, 10 sources', 'ms', ({ few }) => few.patchMs],
      ['PATCH, 10 000, against 10', '', ({ few, many }) => many.patchMs / few.patchMs],
      ['PATCH, 10 sources, secrets encrypted, against in clear', '', ({ few, sealed }) => sealed.patchMs / few.patchMs],
      ['a change, 1,000 entries in the audit, against none, processor time', '', ({ audit }) => audit.processorTime],
      ['a change, 1,000 entries in the audit, against none, bytes', '', ({ audit }) => audit.bytes, { atMost: 4 }],
      ['List, a page, 10 sources', 'ms', ({ few }) => few.pageMs],
      ['List, a page, 10 000, against 10', '', ({ few, many }) => many.pageMs / few.pageMs],
      ['start, 10 sources', 'ms', ({ few }) => few.startMs],
      ['start, 10 000, against 10', '', ({ few, many }) => many.startMs / few.startMs],
    ]);
  },
};

function measure(wish: Wish): Promise<Run> {
  return inFolder(async (folder) => {
    const [small, large, secret] = [join(folder, 'few'), join(folder, 'many'), join(folder, 'sealed')];
    for (const own of [small, secret]) await fillConfigStore(own, { workspaces: 1, sources: FEW }, TOKEN);
    await fillConfigStore(large, { workspaces: 100, sources: Math.max(LEAST_MANY, sized(MANY, wish)) }, TOKEN);
    const keys = { 'secret-keys': randomBytes(32).toString('base64') };
    const starts = [await startMs(small), await startMs(large), await startMs(secret, keys)];
    await using few = await start(small);
    await using many = await start(large);
    await using sealed = await start(secret, keys);
    const urls = [few.url, many.url, sealed.url];
    const patches = await inTurn(urls, patch);
    const pages = await inTurn(urls, page);
    const timesOf = (index: number): Times => ({
      startMs: starts[index] ?? NaN,
      patchMs: patches[index] ?? NaN,
      pageMs: pages[index] ?? NaN,
    });
    return { few: timesOf(0), many: timesOf(1), sealed: timesOf(2), audit: await auditCost(join(folder, 'audit')) };
  });
}

function start(dataDir: string, more: Flags = {}): ReturnType<typeof startRouterProcess> {
  return startRouterProcess({ port: '0', 'data-dir': dataDir, 'rate-limit': '0', 'log-level': 'info', ...more });
}

/** From the birth of the process to its `listening` line. */
async function startMs(dataDir: string, more?: Flags): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const began = performance.now();
    const router = await start(dataDir, more);
    times.push(performance.now() - began);
    await router.stop();
  }
  return median(times);
}

type Flags = Readonly<Record<string, string>>;

type Ask = (url: string, round: number) => Promise<unknown>;

/** The median time of each, asked in turn. */
async function inTurn(urls: readonly string[], ask: Ask): Promise<number[]> {
  const times = urls.map((): number[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [index, url] of urls.entries()) {
      const began = performance.now();
      await ask(url, round);
      if (round >= WARM_UP) times[index]?.push(performance.now() - began);
    }
  }
  return times.map(median);
}

function patch(url: string, round: number): Promise<void> {
  const body = { source: { display_name: `round ${round}` }, update_mask: { paths: ['source.display_name'] } };
  return call(`${url}/v1beta/workspaces/w0/sources/s${round % 10}`, { method: 'PATCH', body: JSON.stringify(body) });
}

function page(url: string): Promise<void> {
  return call(`${url}/v1beta/workspaces/w0/sources?page_size=10`, {});
}

async function call(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, { ...init, headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
}
