import { type Bench, repeat, sized } from './bench.ts';
import { answerOf, startChild } from './child.ts';
import { figuresOf } from './figures.ts';
import type { Costs } from './processes/analytics-cost.ts';

const EVENTS = 100_000;

/** The analytics library beside @segment/analytics-node, and beside a bare array push with JSON.stringify. */
export const analytics: Bench = {
  name: 'analytics',
  about: 'cost of a call and of a queued event, and throughput, against @segment/analytics-node',
  runs: 1,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'analytics', () =>
      answerOf<Costs>(startChild('./processes/analytics-cost.ts', String(sized(EVENTS, wish)))),
    );
    return figuresOf(runs, [
      ['a call', 'µs', ({ waybill }) => waybill.microsecondsPerCall],
      ['a call, peer', 'µs', ({ peer }) => peer.microsecondsPerCall],
      ['a call, bare array push', 'µs', ({ floor }) => floor.microsecondsPerCall],
      ['heap of a queued event', 'bytes', ({ waybill }) => waybill.heapBytesPerEvent],
      ['heap of a queued event, peer', 'bytes', ({ peer }) => peer.heapBytesPerEvent],
      ['to a local server', 'events/s', ({ waybill }) => waybill.eventsPerSecond],
      ['to a local server, peer', 'events/s', ({ peer }) => peer.eventsPerSecond],
    ]);
  },
};
