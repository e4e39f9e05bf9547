import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../server/tests/support/postgres-server.ts';
import type { Random } from '../../server/ports/random.ts';
import { createReceiver } from '../../testbed/index.ts';
import { mostWithin } from '../../testbed/simulation/limits-oracle.ts';
import type { Defect } from '../crash/defects.ts';
import { connect } from '../router/connect.ts';
import { arrivalsAt, DRAIN_MS, type Sent, sendsTo } from './arrivals.ts';
import { urlOfPair } from './database-pair.ts';
import { Fleet } from './fleet.ts';
import { startRateLoad } from './rate-load.ts';

export interface RateRunOptions {
  /** How often the router that sends is ended, by turns without a warning and as an operator does, and started again. */
  readonly changes: number;
  readonly random: Random;
  readonly routers?: number;
  readonly maxPerSecond?: number;
  /** How many times what the destination may get is sent to it. */
  readonly surplus?: number;
  readonly defect?: Defect;
  readonly onChange?: (done: number) => void;
}

export interface RateReport {
  readonly maxPerSecond: number;
  readonly accepted: number;
  readonly lost: readonly string[];
  /** Events that came more than once: what was under way at a kill. */
  readonly repeated: number;
  /** Processes that sent something. */
  readonly senders: number;
  /** The most requests within a second, and per second within ten. */
  readonly mostInOne: number;
  readonly mostInTen: number;
  /** For how long the receiver stood still at most: what came meanwhile came at once to it. */
  readonly stoodStillMs: number;
  readonly logs: string;
}

const TOKEN = 'rate-run-token-0123456789';
const KEPT = 1_000_000;
const SECOND = 1_000;
/** Something always waits for the limit. */
const SURPLUS = 1.25;
const MOST_BETWEEN_MS = 6 * SECOND;
const MOST_GONE_MS = 12 * SECOND;
const LOOK_MS = 250;

/**
 * Several routers on PostgreSQL with a destination that gets at most so many requests per second: whichever of them sends to it
 * is ended, and another begins. All that counts is when requests came to the receiver.
 */
export async function rateRun(options: RateRunOptions): Promise<RateReport> {
  const { routers = 3, maxPerSecond = 20, surplus = SURPLUS, defect } = options;
  await using opened = new AsyncDisposableStack();
  const receiver = await createReceiver({ keep: KEPT });
  opened.defer(() => receiver.close());
  const [arrivals, sends] = [arrivalsAt(receiver), sendsTo(receiver)];
  const database = await startPostgres({ tcp: true });
  opened.defer(() => database.stop());
  const fleet = opened.use(
    await Fleet.start({ token: TOKEN, routers, databasePorts: [database.port], storage: urlOfPair, defect }),
  );
  const url = fleet.urls[0] ?? '';
  const writeKey = await connect({ url, token: TOKEN, slug: 'rate', hook: receiver.url, maxPerSecond });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  opened.defer(() => void delay.disable());
  const load = startRateLoad({ writeKey, routers: () => fleet.urls }, surplus * maxPerSecond);
  await changeSenders(fleet, sends, options);
  await load.stop();
  const { accepted } = load;
  const mostMs = DRAIN_MS + (accepted.size / maxPerSecond) * SECOND;
  for (const end = Date.now() + mostMs; Date.now() < end && !accepted.values().every((id) => arrivals.has(id));) {
    await wait(LOOK_MS);
  }
  const lost = [...accepted].filter((id) => !arrivals.has(id));
  const repeated = [...arrivals.values()].filter(({ length }) => length > 1).length;
  const stoodStillMs = Math.round(delay.max / 1e6);
  return {
    maxPerSecond,
    accepted: accepted.size,
    lost,
    repeated,
    stoodStillMs,
    ...ratesOf(sends),
    logs: fleet.logs(20),
  };
}

async function changeSenders(
  fleet: Fleet,
  sends: readonly Sent[],
  { changes, random, onChange }: RateRunOptions,
): Promise<void> {
  for (let change = 1; change <= changes; change += 1) {
    await wait(SECOND + random() * MOST_BETWEEN_MS);
    const index = fleet.indexOf(Number(sends.at(-1)?.router)) ?? 0;
    await (change % 2 === 1 ? fleet.kill(index) : fleet.stop(index));
    await wait(random() * MOST_GONE_MS);
    await fleet.start(index);
    onChange?.(change);
  }
}

function ratesOf(sends: readonly Sent[]): Pick<RateReport, 'senders' | 'mostInOne' | 'mostInTen'> {
  const times = sends.map(({ at }) => at);
  const [mostInOne, mostInTen] = [mostWithin(times, SECOND), mostWithin(times, 10 * SECOND) / 10];
  return { senders: new Set(sends.map(({ router }) => router)).size, mostInOne, mostInTen };
}
