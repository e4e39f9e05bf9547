import { percentile } from '../bench/figures.ts';
import { monotonicMs } from '../bench/monotonic.ts';
import { databaseUs, openPlace, type Place, position } from '../bench/postgres-cost.ts';
import { type BenchRouter, startRouterOn } from '../bench/processes/bench-router.ts';
import { type LoadProcess, type Sending, startLoad } from '../bench/processes/load-process.ts';
import { type BenchReceiver, startReceiver } from '../bench/processes/receiver-process.ts';
import { type Held, hold, lookAt } from './look.ts';
import { makeSources, type Sources } from './world.ts';

const ROUTERS = 2;
const [BATCH, CONNECTIONS] = [20, 16];
/** Before capacity is measured, code is compiled. */
const [WARM_UP, FLOOD] = [10_000, 40_000];
/** What is refused comes again later: capacity is that of the others. */
const MOST = 0.9;
/** More a second is not sent, whatever the capacity: what came is kept in memory until the end. */
const MAX_PER_SECOND = 3_000;

export interface SoakOptions {
  readonly minutes: number;
  /** So many in the middle a transaction is held open. */
  readonly held: number;
  readonly onMinute?: (minute: Omit<Minute, 'perSecond' | 'p50Ms' | 'p99Ms'>) => void;
}

export interface Minute {
  readonly held: boolean;
  /** Delivered within it, a second. */
  readonly perSecond: number;
  /** From when an event was to be sent to its webhook, of destinations that take everything. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the processor, for each event. */
  readonly databaseUs: number;
  readonly routerUs: number;
  readonly walBytes: number;
  /** At its end. */
  readonly databaseMb: number;
  readonly hotMb: number;
  readonly dead: number;
  readonly vacuums: number;
  readonly headPages: number;
}

export interface SoakReport {
  readonly capacity: number;
  readonly perSecond: number;
  readonly minutes: readonly Minute[];
  readonly sent: number;
  readonly lost: number;
  readonly repeated: number;
}

/** Half of what routers can do, for long, on a database that vacuums itself, with a transaction held open in the middle. */
export async function soakRun(options: SoakOptions): Promise<SoakReport> {
  await using opened = new AsyncDisposableStack();
  const world = await openWorld(opened, options);
  const capacity = await capacityOf(world);
  const perSecond = perSecondOf(capacity);
  const { spans, next } = await spansOf(world, perSecond, options);
  await world.receiver.waitFor(next);
  const { deliveredAt, delivered, repeated } = await world.receiver.report();
  const minutes = spans.map(({ cost, ...span }) => ({ ...cost, ...servedIn(deliveredAt, span) }));
  return { capacity, perSecond, minutes, sent: next, lost: next - delivered, repeated };
}

async function openWorld(opened: AsyncDisposableStack, { minutes }: SoakOptions): Promise<World> {
  const place = await openPlace(opened);
  const first = opened.use(await startRouterOn(place.server.url()));
  const routers = [first];
  while (routers.length < ROUTERS) routers.push(opened.use(await startRouterOn(place.server.url())));
  const receiver = opened.use(await startReceiver(WARM_UP + FLOOD + minutes * 60 * MAX_PER_SECOND));
  const sources = await makeSources(first, receiver.url);
  const loads: LoadProcess[] = [];
  for (const { url } of routers) loads.push(opened.use(await startLoad(url)));
  return { place, routers, receiver, loads, sources };
}

type Cost = Omit<Minute, 'perSecond' | 'p50Ms' | 'p99Ms'>;

/** A minute, before it is known what has arrived in it. */
interface Span {
  readonly cost: Cost;
  readonly from: number;
  readonly to: number;
  readonly sent: Sent;
}

/** All minutes, and the number of the event that would be next. */
async function spansOf(
  world: World,
  perSecond: number,
  { minutes, held, onMinute }: SoakOptions,
): Promise<{ readonly spans: readonly Span[]; readonly next: number }> {
  const first = Math.floor((minutes - held) / 2);
  const spans: Span[] = [];
  let holding: Held | undefined;
  let next = WARM_UP + FLOOD;
  for (let minute = 0; minute < minutes; minute += 1) {
    if (minute === first && held > 0) holding = await hold(world.place.database);
    if (minute === first + held) {
      await holding?.letGo();
      holding = undefined;
    }
    const from = monotonicMs();
    const { cost, sent } = await minuteOf(world, next, perSecond);
    const whole = { ...cost, held: holding !== undefined };
    spans.push({ cost: whole, from, to: monotonicMs(), sent });
    next += perSecond * 60;
    onMinute?.(whole);
  }
  await holding?.letGo();
  return { spans, next };
}

interface World {
  readonly place: Place;
  readonly routers: readonly BenchRouter[];
  readonly receiver: BenchReceiver;
  readonly loads: readonly LoadProcess[];
  readonly sources: Sources;
}

/** Events of one minute: when each was to be sent, or NaN where what becomes of it says little of the router. */
interface Sent {
  readonly first: number;
  readonly at: Float64Array;
}

/** Half of it, in whole batches of each load. */
function perSecondOf(capacity: number): number {
  const step = BATCH * ROUTERS;
  return Math.max(step, Math.floor(Math.min(MAX_PER_SECOND, capacity / 2) / step) * step);
}

async function capacityOf(world: World): Promise<number> {
  const { receiver } = world;
  await sendAll(world, 0, WARM_UP, { connections: CONNECTIONS / ROUTERS });
  await receiver.waitFor(WARM_UP);
  const startedAt = monotonicMs();
  const wanted = WARM_UP + Math.floor(FLOOD * MOST);
  const [reached] = await Promise.all([
    receiver.waitFor(wanted),
    sendAll(world, WARM_UP, FLOOD, { connections: CONNECTIONS / ROUTERS }),
  ]);
  await receiver.waitFor(WARM_UP + FLOOD);
  return (1_000 * FLOOD * MOST) / (reached - startedAt);
}

/** Each router gets its part of them. */
function sendAll(
  { loads, sources: { writeKeys } }: World,
  first: number,
  events: number,
  pace: { readonly perSecond: number } | { readonly connections: number },
): Promise<readonly Sending[]> {
  const each = events / loads.length;
  return Promise.all(
    loads.map((load, index) =>
      load.send({ writeKeys, first: first + index * each, events: each, batch: BATCH, pace, triesAgain: true }),
    ),
  );
}

async function minuteOf(world: World, first: number, perSecond: number) {
  const { place, routers, sources } = world;
  const events = perSecond * 60;
  const before = await standOf(place, routers);
  const sendings = await sendAll(world, first, events, { perSecond: perSecond / routers.length });
  const after = await standOf(place, routers);
  const cost = {
    databaseUs: (after.databaseUs - before.databaseUs) / events,
    routerUs: (after.routerUs - before.routerUs) / events,
    walBytes: (after.walBytes - before.walBytes) / events,
    ...(await lookAt(place.database, sources.ordered)),
  };
  const isPlain = (index: number): boolean =>
    sources.isPlain[Math.floor((index % (events / routers.length)) / BATCH) % sources.isPlain.length] === true;
  const sentAt = sendings.flatMap((sending) => [...sending.sentAt]);
  return { cost, sent: { first, at: Float64Array.from(sentAt, (at, index) => (isPlain(index) ? at : NaN)) } };
}

async function standOf({ server, database }: Place, routers: readonly BenchRouter[]) {
  const routerMs = await Promise.all(routers.map((router) => router.processorMs()));
  return {
    databaseUs: databaseUs(server),
    routerUs: 1_000 * routerMs.reduce((sum, ms) => sum + ms, 0),
    walBytes: await position(database),
  };
}

function servedIn(
  deliveredAt: Float64Array,
  { from, to, sent }: Omit<Span, 'cost'>,
): Pick<Minute, 'perSecond' | 'p50Ms' | 'p99Ms'> {
  const within = deliveredAt.reduce((count, at) => (at >= from && at < to ? count + 1 : count), 0);
  const ms = [...sent.at].map((at, index) => (deliveredAt[sent.first + index] ?? NaN) - at);
  const known = ms.filter((one) => !Number.isNaN(one));
  return {
    perSecond: (1_000 * within) / (to - from),
    p50Ms: percentile(known, 0.5),
    p99Ms: percentile(known, 0.99),
  };
}
