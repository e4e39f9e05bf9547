import { join } from 'node:path';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { sourceName } from './names.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { type LoadProcess, startLoad } from './processes/load-process.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';
import { probe } from './slow-disk/probes.ts';
import { makeSlowFsync, type SlowFsync } from './slow-disk/slow-fsync.ts';

const FSYNC_MS = 20;
const DESTINATIONS = 10;
/** Calm enough that only the disk is slow. */
const CALM = { events: 10_000, batch: 5, pace: { perSecond: 500 } };
/** Every event in a request of its own, to see how many share a sync. */
const CROWD = { events: 20_000, batch: 1, pace: { connections: 64 } };
const SOON = { atMost: 50 };

/** What a disk that is slow to sync holds up, and what it must not. */
export const slowDisk: Bench = {
  name: 'slow-disk',
  about: 'deliveries, health and Config API while every sync to disk takes 20 ms (needs a C compiler)',
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'slow disk', () => measure(wish));
    return figuresOf(runs, [
      ['from 200 to the webhook, p95', 'ms', ({ delivery }) => delivery, SOON],
      ['health, p95', 'ms', ({ health }) => health, SOON],
      ['Config API, a read, p95', 'ms', ({ read }) => read, SOON],
      ['Config API, a change, p95', 'ms', ({ write }) => write, SOON],
      ['events per sync, each in its own request', '', ({ perSync }) => perSync, { atLeast: 2 }],
      ['ingest, answer, p95', 'ms', ({ answer }) => answer],
      ['left over, or delivered twice', 'events', ({ wrong }) => wrong, { atMost: 0 }],
    ]);
  },
};

interface Run {
  readonly delivery: number;
  readonly answer: number;
  readonly health: number;
  readonly read: number;
  readonly write: number;
  readonly perSync: number;
  readonly wrong: number;
}

interface World {
  readonly router: BenchRouter;
  readonly receiver: BenchReceiver;
  readonly load: LoadProcess;
  readonly writeKeys: readonly string[];
}

function measure(wish: Wish): Promise<Run> {
  return inFolder(async (folder) => {
    const fsync = makeSlowFsync(folder, FSYNC_MS);
    const calm = { ...CALM, events: sized(CALM.events / CALM.batch, wish) * CALM.batch };
    const crowd = { ...CROWD, events: sized(CROWD.events, wish), first: calm.events };
    using receiver = await startReceiver(calm.events + crowd.events);
    await using router = await startRouter(join(folder, 'data'), fsync.environment);
    const webhooks = Array.from({ length: DESTINATIONS }, (_, index) => `${receiver.url}/ok/${index}`);
    const writeKeys = await router.connect(webhooks);
    using load = await startLoad(router.url);
    const world = { router, receiver, load, writeKeys };
    const times = await calmTimes(world, calm);
    const perSync = await eventsPerSync(world, crowd, fsync);
    const { delivered, repeated } = await receiver.report();
    return { ...times, perSync, wrong: calm.events + crowd.events - delivered + repeated };
  });
}

async function calmTimes(
  { router, receiver, load, writeKeys }: World,
  calm: typeof CALM,
): Promise<Omit<Run, 'perSync' | 'wrong'>> {
  const over = new AbortController();
  const probing = probe(router.url, router.config, sourceName(0), over.signal);
  const { sentAt, acceptedAt } = await load.send({ ...calm, first: 0, writeKeys });
  over.abort();
  const { health, read, write } = await probing;
  await receiver.waitFor(calm.events);
  const { deliveredAt } = await receiver.report();
  return {
    delivery: percentile(
      acceptedAt.map((at, index) => (deliveredAt[index] ?? NaN) - at),
      0.95,
    ),
    answer: percentile(
      acceptedAt.map((at, index) => at - (sentAt[index] ?? NaN)),
      0.95,
    ),
    health: percentile(health, 0.95),
    read: percentile(read, 0.95),
    write: percentile(write, 0.95),
  };
}

/** Syncs for the results of deliveries are among those that are counted. */
async function eventsPerSync(
  { receiver, load, writeKeys }: World,
  crowd: typeof CROWD & { readonly first: number },
  fsync: SlowFsync,
): Promise<number> {
  const before = fsync.count();
  await load.send({ ...crowd, writeKeys });
  const syncs = fsync.count() - before;
  await receiver.waitFor(crowd.first + crowd.events);
  return crowd.events / syncs;
}
