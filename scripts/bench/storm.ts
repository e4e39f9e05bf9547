import { setTimeout as wait } from 'node:timers/promises';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import { fillBacklog } from './backlog-filling.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { startEngine } from './engine.ts';
import { type Figure, figuresOf, median } from './figures.ts';
import { inFolder } from './folder.ts';
import { openFile, type OpenPlace, openPostgres } from './order-places.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';

const { perDestination } = DEFAULT_POLICY;
const BACKLOG = 100_000;
const OUTAGE_MS = 600_000;
/** Unless it is to be real, everything that waits (outage, window, retries, probes) is so many times shorter. */
const FASTER = 60;
/** What an answer takes, so that requests under way at once can be seen. */
const ANSWER_MS = 2;
/** Arrivals are counted in slices of this length. */
const SLICE_MS = 100;

/** A destination that is dead for ten minutes with a backlog, and what happens when it comes back (D-25). */
export const storm = benchIn('storm', '', openFile);

export const stormPostgres = benchIn('storm-postgres', ', on PostgreSQL', openPostgres);

function benchIn(name: string, where: string, open: OpenPlace): Bench {
  return {
    name,
    about: `a destination that is dead for ten minutes (by default in ten seconds), and comes back${where}`,
    runs: 3,
    isStandard: false,
    measure: async (wish) => {
      const measure = async (): Promise<Run> => ({
        capacity: (await drain(open, wish, undefined)).perSecond,
        ...(await drain(open, wish, wish.isReal ? 1 : FASTER)),
      });
      return figures(await repeat(wish, name, measure));
    },
  };
}

interface Run extends Drain {
  readonly capacity: number;
}

function figures(runs: readonly Run[]): Figure[] {
  return figuresOf(runs, [
    ['attempts while dead', '', ({ refused }) => refused, { atMost: 250 }],
    ['drain after the recovery, against capacity', '', (run) => run.perSecond / run.capacity, { atLeast: 0.8 }],
    [`busiest ${SLICE_MS} ms of the drain, against the middle one`, '', ({ burst }) => burst, { atMost: 2 }],
    ['requests under way at once, at most', '', ({ mostOpen }) => mostOpen, { atMost: perDestination }],
    ['not delivered, or delivered twice', 'events', ({ wrong }) => wrong, { atMost: 0 }],
    ['from the recovery to the first success', 's', ({ noticedMs }) => noticedMs / 1_000],
    ['from the recovery to the last success', 's', ({ lastMs }) => lastMs / 1_000],
    ['capacity', 'events/s', ({ capacity }) => capacity],
    ['drain after the recovery', 'events/s', ({ perSecond }) => perSecond],
  ]);
}

interface Drain {
  /** Events per second from the first that was taken until all but a hundredth were. */
  readonly perSecond: number;
  /** Attempts before the recovery. */
  readonly refused: number;
  /** The busiest slice against the middle one. */
  readonly burst: number;
  readonly mostOpen: number;
  /** From the recovery to the first event that was taken, in the time of the outage … */
  readonly noticedMs: number;
  /** … and in real time to the last, which had been tried before, and waits until it is due. */
  readonly lastMs: number;
  readonly wrong: number;
}

/** Drains a backlog; with `faster`, after an outage that is so many times shorter than it is told to be. */
function drain(open: OpenPlace, wish: Wish, faster: number | undefined): Promise<Drain> {
  const events = sized(BACKLOG, wish);
  return inFolder(async (folder) => {
    using receiver = await startReceiver(events, ANSWER_MS);
    const place = await open(folder);
    await fillBacklog(place.store, { sources: 1, first: 0, events, dueAt: Date.now() });
    const target = { webhooks: [{ url: `${receiver.url}/dead/0`, headers: {} }], sharedSecret: 's3cret' };
    if (faster === undefined) await receiver.recover();
    const engine = await startEngine(place.store, target, policyOf(faster ?? 1), place.tenure);
    const recoveredAt = faster === undefined ? NaN : await outage(receiver, faster, wish);
    await engine.delivered(events);
    await engine.stop();
    await place.close();
    return drainOf(await receiver.report(), events, { recoveredAt, faster: faster ?? 1 });
  });
}

/** The deadline of an attempt stays: it waits for a network, whose time is real. */
function policyOf(faster: number): DeliveryPolicy {
  const { windowMs, firstWaitMs, maxWaitMs } = DEFAULT_POLICY;
  const waits = { windowMs, firstWaitMs, maxWaitMs };
  const shorter = Object.fromEntries(Object.entries(waits).map(([name, ms]) => [name, ms / faster]));
  return { ...DEFAULT_POLICY, ...shorter };
}

async function outage(receiver: BenchReceiver, faster: number, { tell }: Wish): Promise<number> {
  tell(`dead for ${OUTAGE_MS / faster / 1_000} s`);
  await wait(OUTAGE_MS / faster);
  return receiver.recover();
}

type Reception = Awaited<ReturnType<BenchReceiver['report']>>;

function drainOf(
  { deliveredAt, delivered, repeated, refused, mostOpen }: Reception,
  events: number,
  { recoveredAt, faster }: { readonly recoveredAt: number; readonly faster: number },
): Drain {
  const times = deliveredAt.filter((at) => !Number.isNaN(at)).toSorted();
  const most = Math.floor(times.length * 0.99);
  const [first = NaN, late = NaN, last = NaN] = [times[0], times[most - 1], times.at(-1)];
  const slices = [...Map.groupBy(times.subarray(0, most), (at) => Math.floor((at - first) / SLICE_MS)).values()].map(
    (slice) => slice.length,
  );
  return {
    perSecond: (1_000 * most) / (late - first),
    refused,
    burst: Math.max(...slices) / median(slices),
    mostOpen,
    noticedMs: (first - recoveredAt) * faster,
    lastMs: last - recoveredAt,
    wrong: events - delivered + repeated,
  };
}
