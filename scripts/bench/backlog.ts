import { join } from 'node:path';
import { openSqliteStorage } from '../../server/storage/file/deliveries/sqlite-storage.ts';
import { fillBacklog } from './backlog-filling.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { type Figure, figuresOf, median, type Row } from './figures.ts';
import { inFolder } from './folder.ts';
import { monotonicMs } from './monotonic.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';

interface Size {
  readonly events: number;
  readonly destinations: number;
}

/** What the others are held against, for as many destinations: each of those costs memory too. */
const SMALLEST = 1_000;
const SIZES: readonly Size[] = [
  { events: SMALLEST, destinations: 1 },
  { events: 100_000, destinations: 1 },
  { events: 1_000_000, destinations: 1 },
  { events: SMALLEST, destinations: 1_000 },
  { events: 1_000_000, destinations: 1_000 },
];
/** So many are delivered first, so that every figure is of a process that is warm: its heap grows for half a minute. */
const WARM_UP = 300_000;
/** A small backlog is over before it can be measured well, and so comes in waves: as many, and so far apart. */
const [WAVES, BETWEEN_WAVES_MS, BEFORE_WAVES_MS] = [10, 1_000, 80_000];

/** How fast a backlog is delivered, and in how much memory, depending on how much there is of it. */
export const backlog: Bench = {
  name: 'backlog',
  about: 'delivery from backlogs of 1 000, 100 000 and 1 000 000, and the memory that takes',
  runs: 3,
  isStandard: true,
  measure: async (wish) => {
    const runs = await repeat(wish, 'backlog', async () => {
      const drains: Drain[] = [];
      for (const size of SIZES) drains.push(await measure(size, wish));
      return drains;
    });
    return SIZES.flatMap((size) => {
      const pairOf = (drains: readonly Drain[]): Pair => ({
        own: drainOf(drains, size),
        smallest: drainOf(drains, { ...size, events: SMALLEST }),
      });
      return sizeFigures(size, runs.map(pairOf));
    });
  },
};

interface Drain {
  readonly size: Size;
  readonly perSecond: number;
  readonly memoryMb: number;
  /** From the birth of the process to its `listening`. */
  readonly startMs: number;
}

/** Of each run the drain of a size, and that of the smallest for as many destinations. */
interface Pair {
  readonly own: Drain;
  readonly smallest: Drain;
}

function drainOf(drains: readonly Drain[], { events, destinations }: Size): Drain {
  const found = drains.find(({ size }) => size.events === events && size.destinations === destinations);
  if (found === undefined) throw new Error(`a backlog of ${events} for ${destinations} was not measured`);
  return found;
}

function sizeFigures(size: Size, pairs: readonly Pair[]): Figure[] {
  const name = `${size.events.toLocaleString('en')} for ${size.destinations.toLocaleString('en')}`;
  const own: Row<Pair>[] = [
    [`delivery of ${name}`, 'events/s', (pair) => pair.own.perSecond],
    [`memory with ${name}, at most`, 'MB', (pair) => pair.own.memoryMb],
    [`start with ${name}`, 'ms', (pair) => pair.own.startMs],
  ];
  if (size.events === SMALLEST) return figuresOf(pairs, own);
  const [rate, memory] = [`delivery of ${name}, against the smallest`, `memory with ${name}, beyond the smallest`];
  return figuresOf(pairs, [
    [rate, '', (pair) => pair.own.perSecond / pair.smallest.perSecond, { atLeast: 0.85 }],
    [memory, 'MB', (pair) => pair.own.memoryMb - pair.smallest.memoryMb, { atMost: 100 }],
    ...own,
  ]);
}

function measure(full: Size, wish: Wish): Promise<Drain> {
  const isSmall = full.events === SMALLEST;
  const size = { ...full, events: sized(full.events, wish) };
  wish.tell(`backlog of ${size.events} for ${size.destinations}`);
  return inFolder(async (folder) => {
    using receiver = await startReceiver(WARM_UP + size.events * (isSmall ? WAVES : 1));
    await connect(folder, receiver, size.destinations);
    const firstWaveAt = await fill(folder, size, isSmall);
    const startedAt = performance.now();
    await using router = await startRouter(folder);
    const startMs = performance.now() - startedAt;
    const perSecond = isSmall
      ? await waves(router, receiver, size.events, firstWaveAt)
      : await whole(router, receiver, size.events);
    const memoryMb = router.peakMemoryMb();
    wish.tell(`${Math.round(perSecond)} events/s, at most ${Math.round(memoryMb)} MB`);
    return { size: full, perSecond, memoryMb, startMs };
  });
}

async function connect(folder: string, { url }: BenchReceiver, destinations: number): Promise<void> {
  await using router = await startRouter(folder);
  await router.connect(Array.from({ length: destinations }, (_, index) => `${url}/ok/${index}`));
  await router.stop();
}

/** The warm-up, and behind it the backlog: all at once, or in waves. Answers when the first wave is due. */
async function fill(folder: string, { events, destinations: sources }: Size, isSmall: boolean): Promise<number> {
  const store = await openSqliteStorage(join(folder, 'deliveries.sqlite'));
  const now = Date.now();
  await fillBacklog(store, { sources, first: 0, events: WARM_UP, dueAt: now });
  const firstWaveAt = Date.now() + BEFORE_WAVES_MS;
  if (isSmall) {
    for (let wave = 0; wave < WAVES; wave += 1) {
      const dueAt = firstWaveAt + wave * BETWEEN_WAVES_MS;
      await fillBacklog(store, { sources, first: WARM_UP + wave * events, events, dueAt });
    }
  } else await fillBacklog(store, { sources, first: WARM_UP, events, dueAt: now + 1 });
  await store.close();
  return firstWaveAt;
}

/** Events per second from the end of the warm-up until the last result is on disk. */
async function whole(router: BenchRouter, receiver: BenchReceiver, size: number): Promise<number> {
  const startedAt = await receiver.waitFor(WARM_UP);
  await receiver.waitFor(WARM_UP + size);
  await recorded(router, WARM_UP + size);
  return (1_000 * size) / (monotonicMs() - startedAt);
}

/** The middle of the waves: from the moment at which one is due until the last of its results is on disk. */
async function waves(router: BenchRouter, receiver: BenchReceiver, size: number, firstAt: number): Promise<number> {
  await receiver.waitFor(WARM_UP);
  if (Date.now() > firstAt) throw new Error('the warm-up took longer than the time before the first wave');
  const rates: number[] = [];
  for (let wave = 0; wave < WAVES; wave += 1) {
    const done = WARM_UP + (wave + 1) * size;
    await receiver.waitFor(done);
    await recorded(router, done);
    rates.push((1_000 * size) / (Date.now() - (firstAt + wave * BETWEEN_WAVES_MS)));
  }
  return median(rates);
}

/** Asked only once everything has arrived: the page costs the router something. */
async function recorded(router: BenchRouter, count: number): Promise<void> {
  for (;;) {
    const value = await router.metrics();
    if (value('waybill_deliveries_ended_total{state="delivered"}') >= count) return;
  }
}
