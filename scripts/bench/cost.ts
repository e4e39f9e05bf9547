import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { type Load, startLoad } from './processes/load-process.ts';
import { startReceiver } from './processes/receiver-process.ts';

const [WARM_UP, FLOOD] = [20_000, 40_000] as const;
/** As little as most installations have for most of the day. */
const LOW_TRAFFIC = { perSecond: 200, seconds: 20 } as const;

interface Costs {
  readonly fullUs: number;
  readonly lowUs: number;
  readonly memoryMb: number;
}

/** What browsers, phones and most SDKs send at low traffic: one event a request. */
export const cost: Bench = {
  name: 'cost',
  about: 'processor time of a router for an event of its own request, from there to its webhook, and its memory',
  runs: 5,
  isStandard: true,
  measure: async (wish) => {
    const runs = await repeat(wish, 'cost', () => measure(wish));
    const { perSecond } = LOW_TRAFFIC;
    return figuresOf(runs, [
      ['processor time of an event, at full speed', 'µs', ({ fullUs }) => fullUs, { atMost: 110 }],
      [`processor time of an event, at ${perSecond} a second`, 'µs', ({ lowUs }) => lowUs, { atMost: 400 }],
      ['memory at full speed, at most', 'MB', ({ memoryMb }) => memoryMb, { atMost: 200 }],
    ]);
  },
};

function measure(wish: Wish): Promise<Costs> {
  return inFolder(async (folder) => {
    const [warmUp, flood] = [sized(WARM_UP, wish), sized(FLOOD, wish)];
    const few = LOW_TRAFFIC.perSecond * sized(LOW_TRAFFIC.seconds, wish);
    using receiver = await startReceiver(warmUp + flood + few);
    await using router = await startRouter(folder);
    const writeKeys = await router.connect([`${receiver.url}/ok/0`]);
    using load = await startLoad(router.url);
    let sent = 0;
    const costOf = (events: number, pace: Load['pace']): Promise<number> =>
      perEventUs(router, events, async () => {
        await load.send({ writeKeys, batch: 1, pace, first: sent, events });
        sent += events;
        await receiver.waitFor(sent);
      });
    await costOf(warmUp, { connections: 16 });
    const fullUs = await costOf(flood, { connections: 16 });
    const memoryMb = router.peakMemoryMb();
    const lowUs = await costOf(few, { perSecond: LOW_TRAFFIC.perSecond });
    return { fullUs, lowUs, memoryMb };
  });
}

async function perEventUs(router: BenchRouter, events: number, work: () => Promise<void>): Promise<number> {
  const before = await router.processorMs();
  await work();
  return (1_000 * ((await router.processorMs()) - before)) / events;
}
