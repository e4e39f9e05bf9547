/**
 * `node --expose-gc scripts/bench/analytics-cost.ts`: what a call costs, what a queued event holds, and how many events
 * a second reach a local server; this library, the peer, and as the floor a bare array push with JSON.stringify.
 */
import { memoryUsage } from 'node:process';
import { Analytics as Peer } from '@segment/analytics-node';
import { Analytics } from '../../client/analytics/index.ts';
import { benchServer } from './analytics-server.ts';

const EVENTS = 100_000;
const ROUNDS = 5;
const properties = (count: number) => ({
  count,
  plan: 'pro',
  price: 9.99,
  tags: ['a', 'b'],
  nested: { source: 'mail' },
});

/** Held while nothing is sent: one call at a time, nothing else. */
interface Contender {
  readonly name: string;
  readonly track: (count: number) => unknown;
  readonly end: () => unknown;
}

const SILENT = { debug: () => {}, warn: () => {}, error: () => {} };

/** Keeps hold of the requests, as a network does: without it the collector would take a pending one with its events. */
const open: unknown[] = [];
const never = (): Promise<never> => new Promise((resolve) => open.push(resolve));

const CONTENDERS: readonly (() => Contender)[] = [
  () => {
    const queue: string[] = [];
    return { name: 'floor', track: (count) => queue.push(JSON.stringify(properties(count))), end: () => queue.length };
  },
  () => {
    const client = new Analytics('key', {
      maxQueueSize: EVENTS,
      maxQueueBytes: 1e9,
      fetch: never,
      exitTimeoutMs: 0,
      logger: SILENT,
    });
    return {
      name: 'waybill',
      track: (count) => client.track('user-42', 'Order Completed', properties(count)),
      end: () => client.close({ timeoutMs: 0 }),
    };
  },
  () => {
    // One batch that is never full: the calls are measured, and not its requests.
    const client = new Peer({ writeKey: 'key', flushAt: EVENTS + 1, flushInterval: 1e6, httpClient: never });
    return {
      name: 'peer',
      track: (count) => client.track({ userId: 'user-42', event: 'Order Completed', properties: properties(count) }),
      end: () => client.closeAndFlush({ timeout: 1 }),
    };
  },
];

interface Cost {
  readonly microsecondsPerCall: number;
  readonly heapBytesPerEvent: number;
}

async function costOf(make: () => Contender): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await costOfRound(make));
  // The first round warms up; the best of the others is the least disturbed.
  return costs.slice(1).toSorted((a, b) => a.microsecondsPerCall - b.microsecondsPerCall)[0] ?? never();
}

async function costOfRound(make: () => Contender): Promise<Cost> {
  const contender = make();
  const heap = await heapUsed();
  const start = performance.now();
  for (let count = 0; count < EVENTS; count += 1) contender.track(count);
  const microsecondsPerCall = ((performance.now() - start) * 1000) / EVENTS;
  const heapBytesPerEvent = ((await heapUsed()) - heap) / EVENTS;
  await contender.end();
  open.length = 0;
  return { microsecondsPerCall, heapBytesPerEvent };
}

/** What is really held: the peer works on in later turns, and some of the garbage goes only then. */
async function heapUsed(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.gc?.();
  }
  return memoryUsage().heapUsed;
}

/** From the first call to the answer for the last, with both at 100 events a request. */
async function eventsPerSecond(name: 'waybill' | 'peer'): Promise<number> {
  await using server = await benchServer(false);
  const start = performance.now();
  if (name === 'waybill') {
    const client = new Analytics('key', { host: server.url, maxQueueSize: EVENTS, maxQueueBytes: 1e9 });
    for (let count = 0; count < EVENTS; count += 1) client.track('user-42', 'Order Completed', properties(count));
    await client.close({ timeoutMs: 120_000 });
  } else {
    const client = new Peer({ writeKey: 'key', host: server.url, flushAt: 100 });
    for (let count = 0; count < EVENTS; count += 1) {
      client.track({ userId: 'user-42', event: 'Order Completed', properties: properties(count) });
    }
    await client.closeAndFlush({ timeout: 120_000 });
  }
  return EVENTS / ((performance.now() - start) / 1000);
}

const report: Record<string, object> = {};
for (const make of CONTENDERS) {
  const { name } = make();
  const throughput =
    name === 'waybill' || name === 'peer' ? { eventsPerSecond: Math.round(await eventsPerSecond(name)) } : {};
  const { microsecondsPerCall, heapBytesPerEvent } = await costOf(make);
  report[name] = {
    microsecondsPerCall: Number(microsecondsPerCall.toFixed(2)),
    heapBytesPerEvent: Math.round(heapBytesPerEvent),
    ...throughput,
  };
}
if (process.argv.includes('--json')) console.log(JSON.stringify(report));
else console.table(report);
process.exit(0);
