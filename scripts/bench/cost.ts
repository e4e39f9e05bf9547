import { join } from 'node:path';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { startChild, urlOf } from './child.ts';
import { figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { processorMs, startRouter } from './processes/bench-router.ts';
import { type Load, startLoad } from './processes/load-process.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';

const [WARM_UP, FLOOD] = [20_000, 40_000] as const;
/** As little as most installations have for most of the day. */
const LOW_TRAFFIC = { perSecond: 200, seconds: 20 } as const;

/** For each event. */
interface Times {
  readonly fullUs: number;
  readonly lowUs: number;
}

interface Costs extends Times {
  readonly bare: Times;
  readonly memoryMb: number;
}

/** What browsers, phones and most SDKs send at low traffic: one event a request. */
export const cost: Bench = {
  name: 'cost',
  about:
    'processor time of a router for an event of its own request, from there to its webhook, against a bare server that stores, posts and records it; and its memory',
  runs: 5,
  isStandard: true,
  measure: async (wish) => {
    const runs = await repeat(wish, 'cost', async () => ({ bare: await bareTimes(wish), ...(await ofRouter(wish)) }));
    const [full, low] = ['at full speed', `at ${LOW_TRAFFIC.perSecond} a second`];
    return figuresOf(runs, [
      [`processor time of an event, ${full}`, 'µs', ({ fullUs }) => fullUs, { atMost: 110 }],
      [`processor time of an event, ${low}`, 'µs', ({ lowUs }) => lowUs, { atMost: 400 }],
      ['memory at full speed, at most', 'MB', ({ memoryMb }) => memoryMb, { atMost: 200 }],
      [`processor time of an event, ${full}: a bare server`, 'µs', ({ bare }) => bare.fullUs],
      [`processor time of an event, ${low}: a bare server`, 'µs', ({ bare }) => bare.lowUs],
      [`processor time of an event, ${full}, against a bare server`, '', ({ fullUs, bare }) => fullUs / bare.fullUs],
      [`processor time of an event, ${low}, against a bare server`, '', ({ lowUs, bare }) => lowUs / bare.lowUs],
    ]);
  },
};

function ofRouter(wish: Wish): Promise<Omit<Costs, 'bare'>> {
  return inFolder(async (folder) => {
    using receiver = await startReceiver(eventsOf(wish));
    await using router = await startRouter(folder);
    const writeKeys = await router.connect([`${receiver.url}/ok/0`]);
    const times = await timesOf(wish, { url: router.url, writeKeys, receiver, spentMs: () => router.processorMs() });
    return { ...times, memoryMb: router.peakMemoryMb() };
  });
}

/** The physical limit: all in one thread, without a check, a route or a queue. */
function bareTimes(wish: Wish): Promise<Times> {
  return inFolder(async (folder) => {
    using receiver = await startReceiver(eventsOf(wish));
    const bare = startChild('./bare-ingest.ts', join(folder, 'bare.sqlite'), `${receiver.url}/ok/0`);
    const url = await urlOf(bare);
    const measured = { url, writeKeys: ['none'], receiver, spentMs: () => processorMs(bare) };
    return await timesOf(wish, measured).finally(() => bare.disconnect());
  });
}

/** How many are sent in all. */
function eventsOf(wish: Wish): number {
  return sized(WARM_UP, wish) + sized(FLOOD, wish) + fewOf(wish);
}

function fewOf(wish: Wish): number {
  return LOW_TRAFFIC.perSecond * sized(LOW_TRAFFIC.seconds, wish);
}

interface Measured {
  readonly url: string;
  readonly writeKeys: readonly string[];
  readonly receiver: Pick<BenchReceiver, 'waitFor'>;
  readonly spentMs: () => Promise<number>;
}

async function timesOf(wish: Wish, { url, writeKeys, receiver, spentMs }: Measured): Promise<Times> {
  using load = await startLoad(url);
  let sent = 0;
  const costOf = async (events: number, pace: Load['pace']): Promise<number> => {
    const before = await spentMs();
    await load.send({ writeKeys, batch: 1, pace, first: sent, events });
    sent += events;
    await receiver.waitFor(sent);
    return (1_000 * ((await spentMs()) - before)) / events;
  };
  await costOf(sized(WARM_UP, wish), { connections: 16 });
  return {
    fullUs: await costOf(sized(FLOOD, wish), { connections: 16 }),
    lowUs: await costOf(fewOf(wish), { perSecond: LOW_TRAFFIC.perSecond }),
  };
}
