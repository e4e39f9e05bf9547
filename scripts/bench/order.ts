import type { Target } from '../../server/delivery/target.ts';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { type Engine, startEngine } from './engine.ts';
import { type Figure, figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { monotonicMs } from './monotonic.ts';
import { sourceName } from './names.ts';
import { numberedEvent } from './numbered-event.ts';
import { openFile, openPostgres, type OpenPlace } from './order-places.ts';
import { startReceiver } from './processes/receiver-process.ts';

const USERS = 100_000;
const BATCH = 100;
/** So many batches are accepted before the first of them has to be delivered: nothing waits for the sender. */
const AHEAD = 20;
/** A fifth of the events are of a hundredth of the users, and one in fifty is of the busiest: lines form. */
const SKEW = 3;
/** The destination starts with few requests at once. */
const WARM_UP = 20;

/** What it costs to deliver the events of each user in order (HOOK-25). */
export const order = benchIn('order', { events: 300_000, where: '', open: openFile });

export const orderPostgres = benchIn('order-postgres', {
  events: 100_000,
  where: ', in PostgreSQL',
  open: openPostgres,
});

interface Sending {
  readonly events: number;
  readonly where: string;
  readonly open: OpenPlace;
}

function benchIn(name: string, sending: Sending): Bench {
  const [events, users] = [sending.events, USERS].map((count) => count.toLocaleString('en-US'));
  return {
    name,
    about: `${events} events of ${users} users, some far busier than others, in order and not${sending.where}`,
    runs: 3,
    isStandard: false,
    measure: async (wish) => {
      const measure = async (): Promise<Run> => ({
        unordered: await send(sending, {}, wish),
        ordered: await send(sending, { inOrder: true }, wish),
      });
      return figures(await repeat(wish, name, measure));
    },
  };
}

interface Run {
  readonly unordered: Cost;
  readonly ordered: Cost;
}

function figures(runs: readonly Run[]): Figure[] {
  return figuresOf(runs, [
    [
      'deliveries per second in order, against without',
      '',
      ({ ordered, unordered }) => ordered.perSecond / unordered.perSecond,
      { atLeast: 0.7 },
    ],
    [
      'processor time of a delivery in order, against without',
      '',
      ({ ordered, unordered }) => ordered.cpuUs / unordered.cpuUs,
    ],
    ['deliveries without order', '/s', ({ unordered }) => unordered.perSecond],
    ['deliveries in order', '/s', ({ ordered }) => ordered.perSecond],
  ]);
}

interface Cost {
  readonly perSecond: number;
  /** Of this process, for each delivery. */
  readonly cpuUs: number;
}

function send({ events: all, open }: Sending, setting: Pick<Target, 'inOrder'>, wish: Wish): Promise<Cost> {
  const batches = Math.ceil(sized(all, wish) / BATCH);
  return inFolder(async (folder) => {
    using receiver = await startReceiver((batches + WARM_UP) * BATCH);
    const place = await open(folder);
    const target = { webhooks: [{ url: `${receiver.url}/ok/0`, headers: {} }], sharedSecret: 's3cret', ...setting };
    const engine = await startEngine(place.store, target, DEFAULT_POLICY, place.tenure);
    const random = seededRandom(1);
    for (let batch = 0; batch < WARM_UP; batch += 1) await accept(engine, batch, random);
    await engine.delivered(WARM_UP * BATCH);
    const [began, before] = [monotonicMs(), process.cpuUsage()];
    for (let batch = WARM_UP; batch < WARM_UP + batches; batch += 1) {
      await accept(engine, batch, random);
      await engine.delivered((batch - AHEAD) * BATCH);
    }
    await engine.delivered((WARM_UP + batches) * BATCH);
    const { user, system } = process.cpuUsage(before);
    const seconds = (monotonicMs() - began) / 1_000;
    await engine.stop();
    await place.close();
    const events = batches * BATCH;
    return { perSecond: events / seconds, cpuUs: (user + system) / events };
  });
}

async function accept(engine: Engine, batch: number, random: () => number): Promise<void> {
  const to = [`${sourceName(0)}/destinations/webhooks`];
  const routed = Array.from({ length: BATCH }, (_, index) => {
    const event = { ...numberedEvent(batch * BATCH + index), userId: `user-${Math.floor(random() ** SKEW * USERS)}` };
    return { source: sourceName(0), event, to };
  });
  await engine.accept(routed, { workspace: 'workspaces/main', version: 0 });
}
