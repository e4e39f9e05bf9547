import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { startRouter } from './processes/bench-router.ts';
import { type Load, startLoad } from './processes/load-process.ts';
import { startReceiver } from './processes/receiver-process.ts';

const DESTINATIONS = 10;
const [WARM_UP, CAPACITY, SECONDS] = [20_000, 60_000, 20];
const BATCH = 10;
/** A batch that was answered is to be delivered by then. */
const SETTLED_MS = 1_000;

/** From acceptance to delivery, at half of what the router can accept and deliver on and on. */
export const endToEnd: Bench = {
  name: 'end-to-end',
  about: 'time from the answer 200 to the webhook, at half of the capacity measured before',
  runs: 5,
  isStandard: true,
  measure: async (wish) => {
    const runs = await repeat(wish, 'end to end', () => measure(wish));
    return figuresOf(runs, [
      ['from 200 to the webhook, p95', 'ms', ({ fromAccepted }) => percentile(fromAccepted, 0.95), { atMost: 50 }],
      ['from 200 to the webhook, p50', 'ms', ({ fromAccepted }) => percentile(fromAccepted, 0.5)],
      ['from 200 to the webhook, p99', 'ms', ({ fromAccepted }) => percentile(fromAccepted, 0.99)],
      ['from sending to the webhook, p95', 'ms', ({ fromSent }) => percentile(fromSent, 0.95)],
      ['left over, or delivered twice', 'events', ({ leftOver }) => leftOver, { atMost: 0 }],
      ['capacity, accepted and delivered', 'events/s', ({ capacity }) => capacity],
    ]);
  },
};

interface Run {
  readonly capacity: number;
  readonly fromAccepted: Float64Array;
  readonly fromSent: Float64Array;
  readonly leftOver: number;
}

function measure(wish: Wish): Promise<Run> {
  return inFolder(async (folder) => {
    const [warmUp, flood] = [sized(WARM_UP / BATCH, wish) * BATCH, sized(CAPACITY / BATCH, wish) * BATCH];
    using receiver = await startReceiver(warmUp + flood * 10);
    await using router = await startRouter(folder);
    const writeKeys = await router.connect(
      Array.from({ length: DESTINATIONS }, (_, index) => `${receiver.url}/ok/${index}`),
    );
    using load = await startLoad(router.url);
    const fast: Omit<Load, 'first' | 'events'> = { writeKeys, batch: BATCH, pace: { connections: 16 } };
    await load.send({ ...fast, first: 0, events: warmUp });
    await receiver.waitFor(warmUp);

    const { sentAt } = await load.send({ ...fast, first: warmUp, events: flood });
    const seconds = ((await receiver.waitFor(warmUp + flood)) - (sentAt[0] ?? NaN)) / 1_000;
    const capacity = flood / seconds;

    const perSecond = capacity / 2;
    const first = warmUp + flood;
    const events = Math.min(flood * 9, sized((perSecond * SECONDS) / BATCH, wish) * BATCH);
    const sending = await load.send({ writeKeys, batch: BATCH, first, events, pace: { perSecond } });
    await wait(SETTLED_MS);
    const { deliveredAt, delivered, repeated } = await receiver.report();
    const arrived = deliveredAt.subarray(first, first + events);
    return {
      capacity,
      fromAccepted: arrived.map((at, index) => at - (sending.acceptedAt[index] ?? NaN)),
      fromSent: arrived.map((at, index) => at - (sending.sentAt[index] ?? NaN)),
      leftOver: first + events - delivered + repeated,
    };
  });
}
