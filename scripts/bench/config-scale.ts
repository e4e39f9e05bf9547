/**
 * `node scripts/bench/config-scale.ts [--json]`: what a PATCH, a page of a List and a start cost with 10 000 sources in
 * 100 workspaces, against 10 sources in one. Both routers run at once and are asked in turn, so that what else the
 * machine does weighs on both alike.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRouterProcess } from '../router/router-process.ts';
import { median } from './figures.ts';
import { fillConfigStore, type Size } from './config-store-filling.ts';

const TOKEN = 'token-of-the-bench';
const [WARM_UP, ROUNDS, STARTS] = [30, 300, 5];
const SIZES: Readonly<Record<'small' | 'large', Size>> = {
  small: { workspaces: 1, sources: 10 },
  large: { workspaces: 100, sources: 10_000 },
};

interface Figures {
  readonly startMs: number;
  readonly patchMs: number;
  readonly pageMs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'waybill-scale-'));
try {
  print(await measure(folder));
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(root: string): Promise<{ small: Figures; large: Figures }> {
  const [small, large] = [join(root, 'small'), join(root, 'large')];
  await fillConfigStore(small, SIZES.small, TOKEN);
  await fillConfigStore(large, SIZES.large, TOKEN);
  const starts = { small: await startMs(small), large: await startMs(large) };
  await using few = await start(small);
  await using many = await start(large);
  const patches = await inTurn([few.url, many.url], patch);
  const pages = await inTurn([few.url, many.url], page);
  return {
    small: { startMs: starts.small, patchMs: patches[0] ?? NaN, pageMs: pages[0] ?? NaN },
    large: { startMs: starts.large, patchMs: patches[1] ?? NaN, pageMs: pages[1] ?? NaN },
  };
}

function start(dataDir: string): ReturnType<typeof startRouterProcess> {
  return startRouterProcess({ port: '0', 'data-dir': dataDir, 'rate-limit': '0', 'log-level': 'info' });
}

/** From the birth of the process to its `listening` line. */
async function startMs(dataDir: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const began = performance.now();
    const router = await start(dataDir);
    times.push(performance.now() - began);
    await router.stop();
  }
  return median(times);
}

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

function print({ small, large }: { small: Figures; large: Figures }): void {
  const ratios = { patch: large.patchMs / small.patchMs, page: large.pageMs / small.pageMs };
  if (process.argv.includes('--json')) return console.log(JSON.stringify({ small, large, ratios }));
  console.log(
    [
      `Config API, medians in ms of ${ROUNDS} requests and ${STARTS} starts`,
      `  ${''.padEnd(16)}${'10 sources'.padStart(10)}${'10000 in 100'.padStart(14)}${'ratio'.padStart(9)}`,
      row('PATCH', small.patchMs, large.patchMs),
      row('List, a page', small.pageMs, large.pageMs),
      row('start', small.startMs, large.startMs),
    ].join('\n'),
  );
}

function row(what: string, few: number, many: number): string {
  const figures = [few.toFixed(2).padStart(10), many.toFixed(2).padStart(14), (many / few).toFixed(2).padStart(9)];
  return `  ${what.padEnd(16)}${figures.join('')}`;
}
