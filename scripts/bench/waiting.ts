import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { makeSource } from '../../server/resources/sources.ts';
import type { ConfigStore } from '../../server/storage/config-store.ts';
import { openStorage } from '../../server/storage/open-storage.ts';
import type { Storage } from '../../server/storage/storage.ts';
import { startPostgres } from '../../server/tests/support/postgres-server.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { type Figure, figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { destinationName, sourceName } from './names.ts';
import { numberedEvent } from './numbered-event.ts';
import { DURABLE } from './postgres-cost.ts';
import { type BenchRouter, startRouterOn } from './processes/bench-router.ts';
import { startLoad } from './processes/load-process.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';

/** Nobody listens there. */
const FAILING = 'http://127.0.0.1:9/hook';
const [SOURCES, BATCH] = [100, 500];
/** Of the healthy destination. */
const [PER_SECOND, SECONDS] = [100, 60];
const LIVE = PER_SECOND * SECONDS;
const SETTLED_MS = 2_000;

interface Crowd {
  readonly destinations: number;
  readonly deliveries: number;
}

/** A healthy destination beside a crowd of failing ones, for all of which something waits; `--real` takes ten and five times as many. */
export const waiting = benchIn('waiting', [crowdOf(10_000), crowdOf(100_000)], 'a data folder', (use) =>
  inFolder((folder) => use(`file:${folder}`)),
);

export const waitingPostgres = benchIn(
  'waiting-postgres',
  [crowdOf(20_000), crowdOf(100_000)],
  'PostgreSQL',
  async (use) => {
    const server = await startPostgres({ settings: DURABLE });
    try {
      return await use(server.url());
    } finally {
      await server.stop();
    }
  },
);

/** For as long as it is used. */
type OnPlace = (use: (place: string) => Promise<Latency>) => Promise<Latency>;

function crowdOf(destinations: number): Crowd {
  return { destinations, deliveries: 10 * destinations };
}

function benchIn(name: string, [usual, real]: readonly [Crowd, Crowd], where: string, onPlace: OnPlace): Bench {
  const [waits, failing] = [usual.deliveries, usual.destinations].map((one) => one.toLocaleString('en-US'));
  const times = real.destinations / usual.destinations;
  return {
    name,
    about: `a healthy destination beside ${waits} deliveries that wait for ${failing} failing ones, on ${where}; with --real, ${times} times as many of both`,
    runs: 1,
    isStandard: false,
    measure: async (wish) => {
      const crowd = wish.isReal ? real : usual;
      const sizes = { destinations: sized(crowd.destinations, wish), deliveries: sized(crowd.deliveries, wish) };
      const runs = await repeat(wish, name, async () => ({
        alone: await onPlace((place) => measure(place, undefined, wish)),
        beside: await onPlace((place) => measure(place, sizes, wish)),
      }));
      return figures(runs);
    },
  };
}

interface Latency {
  /** From the birth of the process to its `listening`. */
  readonly startMs: number;
  readonly memoryMb: number;
  /** Of each event to the healthy destination from the start on: from the answer 200 to the webhook, … */
  readonly ms: Float64Array;
  /** … and from sending to that answer. */
  readonly answerMs: Float64Array;
}

interface Run {
  readonly alone: Latency;
  readonly beside: Latency;
}

function figures(runs: readonly Run[]): Figure[] {
  return figuresOf(runs, [
    ['start of a router', 'ms', ({ beside }) => beside.startMs, { atMost: 5_000 }],
    [
      'p99 of the healthy destination, beside the others against alone',
      '',
      ({ beside, alone }) => p99(beside) / p99(alone),
      { atMost: 1.2 },
    ],
    [
      'the same half a minute after the start',
      '',
      ({ beside, alone }) => percentile(secondHalf(beside), 0.99) / percentile(secondHalf(alone), 0.99),
      { atMost: 1.2 },
    ],
    ['p99 from 200 to the webhook, beside', 'ms', ({ beside }) => p99(beside)],
    ['p99 from 200 to the webhook, alone', 'ms', ({ alone }) => p99(alone)],
    ['p50 from 200 to the webhook, beside', 'ms', ({ beside }) => percentile(beside.ms, 0.5)],
    ['p50 from 200 to the webhook, alone', 'ms', ({ alone }) => percentile(alone.ms, 0.5)],
    ['p99 from sending to 200, beside', 'ms', ({ beside }) => percentile(beside.answerMs, 0.99)],
    ['p99 from sending to 200, alone', 'ms', ({ alone }) => percentile(alone.answerMs, 0.99)],
    ['start of a router, alone', 'ms', ({ alone }) => alone.startMs],
    ['memory, at most', 'MB', ({ beside }) => beside.memoryMb],
    ['memory alone, at most', 'MB', ({ alone }) => alone.memoryMb],
  ]);
}

function p99({ ms }: Latency): number {
  return percentile(ms, 0.99);
}

function secondHalf({ ms }: Latency): Float64Array {
  return ms.subarray(ms.length / 2);
}

async function measure(place: string, crowd: Crowd | undefined, wish: Wish): Promise<Latency> {
  using receiver = await startReceiver(LIVE);
  const writeKey = await connect(place, receiver);
  if (crowd !== undefined) {
    wish.tell(`${crowd.deliveries} deliveries to ${crowd.destinations} destinations`);
    await fill(place, crowd);
  }
  const startedAt = performance.now();
  await using router = await startRouterOn(place);
  const startMs = performance.now() - startedAt;
  wish.tell(`started in ${Math.round(startMs)} ms`);
  const latency = await live(router, receiver, writeKey);
  return { startMs, memoryMb: router.peakMemoryMb(), ...latency };
}

/** The healthy destination, and the first of the crowd. */
async function connect(place: string, { url }: BenchReceiver): Promise<string> {
  await using router = await startRouterOn(place);
  const [writeKey = ''] = await router.connect([`${url}/ok/0`, FAILING]);
  await router.stop();
  return writeKey;
}

async function live(router: BenchRouter, receiver: BenchReceiver, writeKey: string) {
  using load = await startLoad(router.url);
  const pace = { perSecond: PER_SECOND };
  const { sentAt, acceptedAt } = await load.send({ writeKeys: [writeKey], batch: 1, first: 0, events: LIVE, pace });
  await receiver.waitFor(LIVE);
  await sleep(SETTLED_MS);
  const { deliveredAt } = await receiver.report();
  const ms = deliveredAt.map((at, number) => at - (acceptedAt[number] ?? NaN));
  return { ms, answerMs: acceptedAt.map((at, number) => at - (sentAt[number] ?? NaN)) };
}

async function fill(place: string, { destinations, deliveries }: Crowd): Promise<void> {
  const storage = await openStorage(place, SILENT);
  await makeCrowd(storage.resources, destinations);
  await makeWait(storage, { destinations, deliveries });
  await storage.close();
}

/** Copies of the first: what the API would have made. */
async function makeCrowd(store: ConfigStore, destinations: number): Promise<void> {
  const [first, now] = [await store.get('destinations', destinationName(1)), Date.now()];
  if (first === undefined) throw new Error('there is no destination to make more of');
  for (let source = 2; source <= SOURCES; source += 1) await store.create('sources', sourceOf(source, now));
  for (let from = 0; from < destinations; from += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, destinations - from) }, (_one, index) => from + index);
    const made = some.map((at) => ({ ...first, ...placeOf(at) }));
    await Promise.all(made.map((one) => store.create('destinations', one)));
  }
}

function sourceOf(at: number, now: number) {
  return makeSource({ name: sourceName(at), catalog_name: 'catalog/sources/javascript' }, 'workspaces/main', now);
}

/** The names of one of the crowd, and of its source. */
function placeOf(at: number): { readonly name: string; readonly parent: string } {
  const parent = sourceName(1 + (at % SOURCES));
  return { name: `${parent}/destinations/webhooks-${at}`, parent };
}

/** As what is left by routers that are gone: due at once, and taken by nobody. */
async function makeWait({ deliveries: store }: Pick<Storage, 'deliveries'>, crowd: Crowd): Promise<void> {
  const receivedAt = Date.now();
  for (let from = 0; from < crowd.deliveries; from += BATCH) {
    const acceptances = Array.from({ length: Math.min(BATCH, crowd.deliveries - from) }, (_one, index) => {
      const { name: destination, parent: source } = placeOf((from + index) % crowd.destinations);
      const message = { source, receivedAt, event: numberedEvent(LIVE + from + index) };
      return { message, routes: [{ destination, claimed: false }] };
    });
    // Whose configuration never changes.
    await store.accept({ key: randomUUID(), workspace: 'workspaces/none', version: 0, acceptances });
  }
}

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // A bench measures the work, not the writing about it.
}
