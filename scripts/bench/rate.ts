import { join } from 'node:path';
import { webhooksConfig } from '../../client/config/index.ts';
import { mostWithin } from '../../testbed/simulation/limits-oracle.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { monotonicMs } from './monotonic.ts';
import { destinationName } from './names.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { type LoadProcess, startLoad } from './processes/load-process.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';

const [LIMIT, SECONDS, DESTINATIONS] = [50, 60, 10] as const;
/** Until what is measured begins, and so much longer than that the queue of the limited one lasts. */
const [LEAD_S, SPARE_S] = [2, 4] as const;
/** Of the others, so many at once to each router in its turn, far below what it can do. */
const [PER_TURN, PER_SECOND, BATCH] = [500, 500, 5] as const;
/** Turns take about two seconds; room for more of them than there will be. */
const MOST_OF_OTHERS = 20 * PER_TURN * SECONDS;

/** Whether a destination's own limit holds over a minute of real time, and what that costs those beside it (HOOK-24). */
export const rate: Bench = {
  name: 'rate',
  about: `a destination with maxPerSecond ${LIMIT} beside ${DESTINATIONS - 1} without, over ${SECONDS} s`,
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'rate', () => measure(wish));
    return figuresOf(runs, [
      ['deliveries per second off the limit, share', '', ({ off }) => off, { atMost: 0.02 }],
      ['the most within a second, against the limit', '', ({ most }) => most, { atMost: 1.1 + 1 / LIMIT }],
      ['events of the limited one that were lost or came twice', '', ({ wrong }) => wrong, { atMost: 0 }],
      [
        'p99 of the others beside it, against none limited',
        '',
        ({ beside, alone }) => beside.p99 / alone.p99,
        { atMost: 1.1 },
      ],
      ['p50 of the others beside it, against none limited', '', ({ beside, alone }) => beside.p50 / alone.p50],
      ['p99 of the others from 200 to the webhook, beside it', 'ms', ({ beside }) => beside.p99],
      ['p99 of the others from 200 to the webhook, none limited', 'ms', ({ alone }) => alone.p99],
    ]);
  },
};

interface Held {
  /** How far the rate was off, in either direction, as a share of the limit. */
  readonly off: number;
  readonly most: number;
  readonly wrong: number;
  readonly beside: Latency;
  readonly alone: Latency;
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** A router with its load and its webhooks. */
interface World extends AsyncDisposable {
  readonly receiver: BenchReceiver;
  readonly router: BenchRouter;
  readonly load: LoadProcess;
  readonly writeKeys: readonly string[];
}

function measure(wish: Wish): Promise<Held> {
  const seconds = sized(SECONDS, wish);
  const held = Math.ceil((LIMIT * (LEAD_S + seconds + SPARE_S)) / BATCH) * BATCH;
  return inFolder(async (folder) => {
    await using beside = await startWorld(join(folder, 'beside'), held);
    await using alone = await startWorld(join(folder, 'alone'), held);
    const config = webhooksConfig({ maxPerSecond: LIMIT });
    await beside.router.config.destinations.update(destinationName(0), { config });
    for (const world of [beside, alone]) await sendToFirst(world, held);
    const from = monotonicMs() + 1_000 * LEAD_S;
    const to = from + 1_000 * seconds;
    const waits: { beside: number[]; alone: number[] } = { beside: [], alone: [] };
    for (let first = held; monotonicMs() < to; first += PER_TURN) {
      waits.beside.push(...(await waitsOfOthers(beside, first)));
      waits.alone.push(...(await waitsOfOthers(alone, first)));
    }
    const arrivals = await arrivalsAtFirst(beside, held);
    const within = arrivals.filter((at) => at >= from && at < to);
    return {
      off: Math.abs(within.length / (LIMIT * seconds) - 1),
      most: mostWithin(within, 1_000) / LIMIT,
      wrong: held - arrivals.length + (await beside.receiver.report()).repeated,
      beside: latencyOf(waits.beside),
      alone: latencyOf(waits.alone),
    };
  });
}

async function startWorld(folder: string, held: number): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await startReceiver(held + MOST_OF_OTHERS));
  const router = opened.use(await startRouter(folder));
  const webhooks = Array.from({ length: DESTINATIONS }, (_, index) => `${receiver.url}/ok/${index}`);
  const writeKeys = await router.connect(webhooks);
  const load = opened.use(await startLoad(router.url));
  const running = opened.move();
  return { receiver, router, load, writeKeys, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** All that the first destination gets, at once. */
async function sendToFirst({ load, writeKeys }: World, events: number): Promise<void> {
  await load.send({ writeKeys: writeKeys.slice(0, 1), first: 0, events, batch: BATCH, pace: { connections: 4 } });
}

/** Milliseconds from the answer 200 to the webhook. */
async function waitsOfOthers({ load, receiver, writeKeys }: World, first: number): Promise<number[]> {
  const pace = { perSecond: PER_SECOND };
  const sent = { writeKeys: writeKeys.slice(1), first, events: PER_TURN, batch: BATCH, pace };
  const { acceptedAt } = await load.send(sent);
  for (;;) {
    const { deliveredAt } = await receiver.report();
    const waits = Array.from(acceptedAt, (at, index) => (deliveredAt[first + index] ?? NaN) - at);
    if (!waits.some(Number.isNaN)) return waits;
  }
}

/** When each event came to the limited destination, once all have. */
async function arrivalsAtFirst({ receiver }: World, held: number): Promise<number[]> {
  const { delivered, deliveredAt: soFar } = await receiver.report();
  await receiver.waitFor(delivered + held - arrived(soFar, held).length);
  return arrived((await receiver.report()).deliveredAt, held).toSorted((a, b) => a - b);
}

function arrived(deliveredAt: Float64Array, events: number): number[] {
  return Array.from(deliveredAt.subarray(0, events)).filter((at) => !Number.isNaN(at));
}

function latencyOf(waits: readonly number[]): Latency {
  return { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) };
}
