import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, repeat, type Wish } from './bench.ts';
import { figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { startRouter } from './processes/bench-router.ts';
import { startLoad } from './processes/load-process.ts';
import { startReceiver } from './processes/receiver-process.ts';

const [DESTINATIONS, EVENTS] = [100, 10_000];
const [CALM_MS, IDLE_MS] = [5_000, 60_000];

/** What the router costs while nothing happens, after it had something to do. */
export const idle: Bench = {
  name: 'idle',
  about: 'processor time of a router that has nothing to do for a minute',
  runs: 1,
  isStandard: true,
  measure: async (wish) => {
    const shares = await repeat(wish, 'idle', () => measure(wish));
    return figuresOf(shares, [['share of a core', '%', (share) => share, { atMost: 0.5 }]]);
  },
};

function measure({ size }: Wish): Promise<number> {
  return inFolder(async (folder) => {
    using receiver = await startReceiver(EVENTS);
    await using router = await startRouter(folder);
    const webhooks = Array.from({ length: DESTINATIONS }, (_, index) => `${receiver.url}/ok/${index}`);
    const writeKeys = await router.connect(webhooks);
    using load = await startLoad(router.url);
    await load.send({ writeKeys, first: 0, events: EVENTS, batch: 20, pace: { connections: 16 } });
    await receiver.waitFor(EVENTS);
    await wait(CALM_MS);
    const [startedAt, before] = [performance.now(), await router.processorMs()];
    await wait(IDLE_MS * size);
    return (100 * ((await router.processorMs()) - before)) / (performance.now() - startedAt);
  });
}
