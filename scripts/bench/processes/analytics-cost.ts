/**
 * What a call of an analytics library costs, what a queued event holds, and how many events a second reach a local server.
 * Run as a process of its own; the argument is how many events. It sends its costs to whoever started it.
 */
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Analytics as Peer } from '@segment/analytics-node';
import { Analytics } from '../../../client/analytics/index.ts';
import { benchServer } from '../analytics-server.ts';

/** What it measures of each library. */
export interface LibraryCost {
  readonly microsecondsPerCall: number;
  readonly heapBytesPerEvent: number;
  readonly eventsPerSecond: number;
}

export interface Costs {
  /** A bare array push with JSON.stringify. */
  readonly floor: Pick<LibraryCost, 'microsecondsPerCall'>;
  readonly waybill: LibraryCost;
  readonly peer: LibraryCost;
}

const EVENTS = Number(process.argv[2]);
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
  readonly track: (count: number) => unknown;
  readonly end: () => unknown;
}

const SILENT = { debug: () => {}, warn: () => {}, error: () => {} };

/** Keeps hold of the requests, as a network does: without it the collector would take a pending one with its events. */
const open: unknown[] = [];
const never = (): Promise<never> => new Promise((resolve) => open.push(resolve));

function bareArray(): Contender {
  const queue: string[] = [];
  return { track: (count) => queue.push(JSON.stringify(properties(count))), end: () => queue.length };
}

function waybillClient(): Contender {
  const options = { maxQueueSize: EVENTS, maxQueueBytes: 1e9, fetch: never, exitTimeoutMs: 0, logger: SILENT };
  const client = new Analytics('key', options);
  return {
    track: (count) => client.track('user-42', 'Order Completed', properties(count)),
    end: () => client.close({ timeoutMs: 0 }),
  };
}

function peerClient(): Contender {
  // One batch that is never full: the calls are measured, and not its requests.
  const client = new Peer({ writeKey: 'key', flushAt: EVENTS + 1, flushInterval: 1e6, httpClient: never });
  return {
    track: (count) => client.track({ userId: 'user-42', event: 'Order Completed', properties: properties(count) }),
    end: () => client.closeAndFlush({ timeout: 1 }),
  };
}

type Cost = Omit<LibraryCost, 'eventsPerSecond'>;

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

setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');
// Throughput first: what it leaves is no part of the heap that is compared.
const rates = { waybill: await eventsPerSecond('waybill'), peer: await eventsPerSecond('peer') };
const costs: Costs = {
  floor: await costOf(bareArray),
  waybill: { ...(await costOf(waybillClient)), eventsPerSecond: rates.waybill },
  peer: { ...(await costOf(peerClient)), eventsPerSecond: rates.peer },
};
process.send?.(costs, () => process.exit(0));
