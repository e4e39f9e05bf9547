import { join } from 'node:path';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import { openSqliteStorage } from '../../server/storage/file/deliveries/sqlite-storage.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { type Engine, startEngine } from './engine.ts';
import { figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { monotonicMs } from './monotonic.ts';
import { sourceName } from './names.ts';
import { numberedEvent } from './numbered-event.ts';
import { startReceiver } from './processes/receiver-process.ts';
import { trackTimes } from './track-times.ts';

const [MANY, FEW] = [1_000, 10] as const;
/** So many deliveries are stored in one commit, whatever they are of. */
const AT_ONCE = 1_000;
const COMMITS = 40;

/** What a delivery costs when its event goes to a thousand destinations, against ten (HOOK-19). */
export const fanOut: Bench = {
  name: 'fan-out',
  about: `an event for ${MANY} destinations of its source, against one for ${FEW}`,
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'fan-out', async () => ({
      few: await send(FEW, wish),
      many: await send(MANY, wish),
    }));
    const tracks = await repeat(wish, 'fan-out, over HTTP', async () => ({
      few: await trackTimes(FEW, wish),
      many: await trackTimes(MANY, wish),
    }));
    const costs = figuresOf(runs, [
      [
        `processor time of a delivery, ${MANY} destinations, against ${FEW}`,
        '',
        ({ few, many }) => many.cpuUs / few.cpuUs,
        { atMost: 1.2 },
      ],
      [
        `accept of an event for ${MANY} destinations by the engine alone, p95`,
        'ms',
        ({ many }) => many.acceptMs,
        { atMost: 50 },
      ],
      [`processor time of a delivery, ${FEW} destinations`, 'µs', ({ few }) => few.cpuUs],
      [`processor time of a delivery, ${MANY} destinations`, 'µs', ({ many }) => many.cpuUs],
    ]);
    const times = figuresOf(tracks, [
      [`POST /v1/track to its 200, ${MANY} destinations, p95`, 'ms', ({ many }) => many.alone, { atMost: 50 }],
      [`the same while events before it are delivered, p95`, 'ms', ({ many }) => many.beside],
      [`POST /v1/track to its 200, ${FEW} destinations, p95`, 'ms', ({ few }) => few.alone],
      ['for a hundred times the destinations, so many times as long', '', ({ few, many }) => many.alone / few.alone],
    ]);
    return [...costs, ...times];
  },
};

interface Cost {
  /** Of this process, for each delivery. */
  readonly cpuUs: number;
  /** From the event to its durable storage, the 95th percentile. */
  readonly acceptMs: number;
}

function send(destinations: number, wish: Wish): Promise<Cost> {
  const commits = sized(COMMITS, wish);
  const events = AT_ONCE / destinations;
  return inFolder(async (folder) => {
    using receiver = await startReceiver((commits + 1) * events);
    const store = await openSqliteStorage(join(folder, 'deliveries.sqlite'));
    const target = { webhooks: [{ url: `${receiver.url}/ok/0`, headers: {} }], sharedSecret: 's3cret' };
    const engine = await startEngine(store, target, DEFAULT_POLICY);
    const to = Array.from({ length: destinations }, (_, index) => `${sourceName(0)}/destinations/webhooks-${index}`);
    await accept(engine, 0, events, to);
    const before = process.cpuUsage();
    const times: number[] = [];
    // The next come when those before are delivered: what is measured is no queue.
    for (let commit = 1; commit <= commits; commit += 1) times.push(await accept(engine, commit, events, to));
    const { user, system } = process.cpuUsage(before);
    await engine.stop();
    await store.close();
    return { cpuUs: (user + system) / (commits * AT_ONCE), acceptMs: percentile(times, 0.95) };
  });
}

/** Accepts so many events for these destinations, and waits until all are delivered; answers how long the accept took. */
async function accept(engine: Engine, commit: number, events: number, to: readonly string[]): Promise<number> {
  const routed = Array.from({ length: events }, (_, index) => {
    return { source: sourceName(0), event: numberedEvent(commit * events + index), to };
  });
  const began = monotonicMs();
  await engine.accept(routed, { workspace: 'workspaces/main', version: 0 });
  const took = monotonicMs() - began;
  await engine.delivered((commit + 1) * AT_ONCE);
  return took;
}
