import { sized, type Wish } from '../bench.ts';
import { percentile } from '../figures.ts';
import type { OnPlace } from '../places.ts';
import { type BenchRouter, startRouterOn } from '../processes/bench-router.ts';
import { type LoadProcess, type Sending, startLoad } from '../processes/load-process.ts';
import { type BenchReceiver, startReceiver } from '../processes/receiver-process.ts';
import { DESTINATIONS, HEALTHY, webhooks } from './destinations.ts';

/** Far below what the router can do, so that a wait is somebody's fault. */
const [PER_SECOND, BATCH] = [1_000, 5];
/** Events that make a router warm; its hanging destinations are found out meanwhile, or are not. */
const WARM_UP = 5_000;
/** Both routers run at once and get their load in turns, so that what else the machine does weighs on both alike. */
const [TURNS, PER_TURN] = [20, 2_000];

export interface Latency {
  /** In milliseconds, from the answer 200 to the webhook. */
  readonly p50: number;
  readonly p99: number;
  /** Requests that were left unanswered. */
  readonly hanging: number;
}

/** A router with its load and its webhooks. */
interface World extends AsyncDisposable {
  readonly receiver: BenchReceiver;
  readonly router: BenchRouter;
  readonly load: LoadProcess;
  readonly writeKeys: readonly string[];
}

/** How long healthy destinations wait for their events, with all healthy and beside hanging ones. */
export function latencies(onPlace: OnPlace, wish: Wish): Promise<{ alone: Latency; beside: Latency }> {
  return onPlace((one) => onPlace((other) => latenciesOn([one, other], wish)));
}

async function latenciesOn(
  [one, other]: readonly [string, string],
  wish: Wish,
): Promise<{ alone: Latency; beside: Latency }> {
  const turns = sized(TURNS, wish);
  const events = WARM_UP + turns * PER_TURN;
  await using alone = await startWorld(one, events, false);
  await using beside = await startWorld(other, events, true);
  const sent: { alone: Sending[]; beside: Sending[] } = { alone: [], beside: [] };
  await Promise.all([warmUp(alone), warmUp(beside)]);
  for (let turn = 0; turn < turns; turn += 1) {
    const first = WARM_UP + turn * PER_TURN;
    sent.alone.push(await send(alone, first));
    sent.beside.push(await send(beside, first));
  }
  return { alone: await latencyOf(alone, sent.alone, false), beside: await latencyOf(beside, sent.beside, true) };
}

async function startWorld(place: string, events: number, isBeside: boolean): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await startReceiver(events));
  const router = opened.use(await startRouterOn(place));
  const writeKeys = await router.connect(webhooks(receiver.url, isBeside));
  const load = opened.use(await startLoad(router.url));
  const running = opened.move();
  return { receiver, router, load, writeKeys, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Healthy destinations alone, as fast as it goes: hanging ones begin to hang within what is measured. */
async function warmUp({ load, receiver, writeKeys }: World): Promise<void> {
  const healthy = writeKeys.slice(0, HEALTHY);
  await load.send({ writeKeys: healthy, first: 0, events: WARM_UP, batch: BATCH, pace: { connections: 16 } });
  await receiver.waitFor(WARM_UP);
}

function send({ load, writeKeys }: World, first: number): Promise<Sending> {
  return load.send({ writeKeys, first, events: PER_TURN, batch: BATCH, pace: { perSecond: PER_SECOND } });
}

/** Waits until everything has arrived that can. */
async function latencyOf({ receiver }: World, sent: readonly Sending[], isBeside: boolean): Promise<Latency> {
  const acceptedAt = sent.flatMap((sending) => [...sending.acceptedAt]);
  const arriving = acceptedAt.filter((_, index) => !isBeside || isHealthy(index % PER_TURN)).length;
  await receiver.waitFor(WARM_UP + arriving);
  const { deliveredAt, hanging } = await receiver.report();
  const times = acceptedAt
    .map((at, index) => (deliveredAt[WARM_UP + index] ?? NaN) - at)
    .filter((_, index) => isHealthy(index % PER_TURN));
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), hanging };
}

/** Of the event at this place of a turn: batches go to the destinations in turn. */
function isHealthy(index: number): boolean {
  return Math.floor(index / BATCH) % DESTINATIONS < HEALTHY;
}
