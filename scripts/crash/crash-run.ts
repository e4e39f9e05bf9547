import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RouterEnded, type RouterProcess, startRouterProcess } from '../router/router-process.ts';
import { createReceiver } from '../../testbed/index.ts';
import { type Arrivals, countArrivals } from './arrivals.ts';
import { connectWebhook, SOURCE } from './connection.ts';
import { CRASH_ENGINES, type CrashEngine } from './crash-places.ts';
import { type CrashPoint, printCrash } from './crash-points.ts';
import type { Defect } from './defects.ts';
import { type Findings, findingsOf, givenUpIn, type KilledWreck } from './findings.ts';
import type { Kill } from './kills.ts';
import { sendUntilGone } from './load.ts';
import type { Wreck } from './wreck.ts';

const TOKEN = 'crash-run-token-0123456789';
const ENTRY = fileURLToPath(new URL('router-under-test.ts', import.meta.url));
/** Some answers come late, so that every kill finds deliveries under way, and some fail, so that some wait on disk. */
const SCRIPT = '503+10%+delay:0ms..5ms x*,delay:0ms..20ms x*';
/** Under load a point is passed within a second or two, and later on a starved machine: there so many events take longer too. */
const REACH_MS = 30_000;
const ENOUGH = 20_000;

export interface CrashRunOptions {
  readonly kills: readonly Kill[];
  /** What keeps the events; by default a data folder. */
  readonly engine?: CrashEngine;
  /** Breaks the router, to show that the run finds it. */
  readonly defect?: Defect;
  /** So many looks in a row at a router that answers may show no change at the end before what is left counts as stuck. */
  readonly stillLooks?: number;
  readonly onKill?: (done: number) => void;
}

export interface CrashReport extends Findings {
  readonly kills: number;
  /** How often a router died at each point. */
  readonly died: Readonly<Partial<Record<CrashPoint | 'random', number>>>;
}

/** Sends events while the router is killed and started again, and finds what was lost, repeated, stuck or damaged. */
export async function crashRun(options: CrashRunOptions): Promise<CrashReport> {
  const { kills, engine = CRASH_ENGINES.file, stillLooks = STILL_LOOKS, onKill } = options;
  await using place = await engine.open();
  const { storage } = place;
  await using receiver = await createReceiver({ script: SCRIPT, keep: 1 });
  const arrivals = countArrivals(receiver);
  const acknowledged = new Set<string>();
  const [wrecks, died]: [KilledWreck[], Record<string, number>] = [[], {}];
  const fences = new Set<string>();
  const stalled: string[] = [];
  const writeKey = await connect(storage, receiver.url);
  for (const [index, kill] of kills.entries()) {
    const fresh = new Set<string>();
    if (isOfAnother(kill)) await dieAtJoin(storage, options.defect);
    const log = await dieUnderLoad({ storage, kill, defect: options.defect, acknowledged: fresh }, (router) =>
      sendUntilGone(router, writeKey, `k${index}`, fresh),
    );
    stalled.push(...givenUpIn(log));
    for (const id of fresh) acknowledged.add(id);
    const wreck = await place.examine(SOURCE, fresh);
    await readWhatCame();
    wrecks.push({ ...wreck, trying: newlyTried(wreck, fences), taken: arrivals.takeRecent() });
    const point = 'crash' in kill ? kill.crash.point : 'random';
    died[point] = (died[point] ?? 0) + 1;
    onKill?.(index + 1);
  }
  const last = await start(storage, undefined, options.defect);
  await drain(last, acknowledged, arrivals.byId, stillLooks);
  await last.stop();
  stalled.push(...givenUpIn(last.written.stdout));
  const rest = await place.examine(SOURCE, []);
  return { kills: kills.length, died, ...findingsOf({ acknowledged, arrivals, wrecks, stalled, rest }) };
}

/** Message ids of what `fences` does not have, which has them from then on. */
function newlyTried({ tried }: Wreck, fences: Set<string>): readonly string[] {
  const fresh = [...tried].filter(([fence]) => !fences.has(fence));
  for (const [fence] of fresh) fences.add(fence);
  return fresh.map(([, id]) => id);
}

async function connect(storage: string, webhook: string): Promise<string> {
  await using router = await start(storage);
  const { writeKey } = await connectWebhook(router.url, TOKEN, webhook);
  await router.stop();
  return writeKey;
}

/** Whether it is passed where another router is gone, and not only when this one starts. */
function isOfAnother(kill: Kill): boolean {
  return 'crash' in kill && kill.crash.point.startsWith('reap:');
}

/** A router that holds nothing, and whose lease ends while the next one lives: the life before may be over by then. */
function dieAtJoin(storage: string, defect: Defect | undefined): Promise<string> {
  const kill: Kill = { crash: { point: 'join:after-commit', pass: 1 } };
  return dieUnderLoad({ storage, kill, defect, acknowledged: new Set() }, () => Promise.resolve());
}

interface Death {
  readonly storage: string;
  readonly kill: Kill;
  readonly defect: Defect | undefined;
  /** Grows while the router lives. */
  readonly acknowledged: ReadonlySet<string>;
}

/** One life of a router, from its start to its end; answers its log. Rejects when it does not die where it should. */
async function dieUnderLoad(
  { storage, kill, defect, acknowledged }: Death,
  load: (router: RouterProcess) => Promise<void>,
): Promise<string> {
  const crash = 'crash' in kill ? printCrash(kill.crash) : undefined;
  const router = await start(storage, crash, defect).catch((error: unknown) => {
    // Some points lie before a router listens.
    if (crash !== undefined && error instanceof RouterEnded && error.signal === 'SIGKILL') return undefined;
    throw error;
  });
  if (router === undefined) return '';
  await using life = router;
  const sending = load(life);
  if ('afterMs' in kill) await wait(kill.afterMs);
  else await reached(life, printCrash(kill.crash), acknowledged);
  await life.kill();
  await sending;
  return life.written.stdout;
}

/** Resolves when the process has ended by itself. Gives up on a router that takes nothing more, or more than enough. */
async function reached(router: RouterProcess, crash: string, acknowledged: ReadonlySet<string>): Promise<void> {
  for (let before = -1; before < acknowledged.size && before < ENOUGH;) {
    before = acknowledged.size;
    const late = new AbortController();
    const over = wait(REACH_MS, 'late' as const, { signal: late.signal }).catch(() => undefined);
    const first = await Promise.race([router.ended, over]);
    late.abort();
    if (first !== 'late') return;
  }
  await router.kill();
  throw new Error(`the router did not pass ${crash} in ${acknowledged.size} events: ${router.written.stderr}`);
}

/** All that a dead process sent lies in the buffers of this machine; so many turns of the event loop read it. */
async function readWhatCame(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Waits until everything has arrived and nothing waits any more. Gives up when nothing changes although the router answers:
 * however slow the machine is, a router that still gets on is waited for.
 */
async function drain(
  router: RouterProcess,
  acknowledged: ReadonlySet<string>,
  arrivals: Arrivals['byId'],
  stillLooks: number,
): Promise<void> {
  let [before, still] = ['', 0];
  while (still < stillLooks) {
    const page = await (await fetch(`${router.url}/metrics`)).text();
    const isQuiet = ['pending', 'trying'].every((state) =>
      page.includes(`waybill_deliveries_unfinished{state="${state}"} 0\n`),
    );
    if (isQuiet && [...acknowledged].every((id) => (arrivals.get(id)?.taken ?? 0) > 0)) return;
    const progress = [...page.matchAll(PROGRESS)].join();
    still = progress === before ? still + 1 : 0;
    before = progress;
    await wait(LOOK_MS);
  }
}

/** What changes as long as something is sent or ends. */
const PROGRESS = /^waybill_(?:attempts_total|deliveries_ended_total|deliveries_unfinished)\{.*$/gm;
const LOOK_MS = 50;
/** Longer than any wait after less than nine failures in a row. */
const STILL_LOOKS = 600;

function start(storage: string, crash?: string, defect?: Defect): Promise<RouterProcess> {
  const flags = {
    port: '0',
    storage,
    token: TOKEN,
    'allow-networks': '127.0.0.0/8',
    'log-level': 'info',
    // Short, so that claims from disk and deletions are under way whenever a kill comes.
    'retry-first-wait': '50ms',
    retention: '200ms',
    ...(crash === undefined ? {} : { crash }),
    ...(defect === undefined ? {} : { defect }),
  };
  return startRouterProcess(flags, { entry: ENTRY });
}
