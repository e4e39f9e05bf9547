import type { Middleware } from 'koa';
import { allWaiting } from '../../delivery/waiting-queues.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DeliveryStorage, Unfinished } from '../../storage/delivery-storage.ts';
import type { Log } from '../../ports/log.ts';
import { sharedReadings } from '../../shared-readings.ts';
import { type Findings, isReady } from '../readiness.ts';
import type { Members, Router } from '../../storage/members.ts';
import type { TellingStorage } from '../../storage/telling-storage.ts';
import { membersOf } from './measured-audiences.ts';
import type { Instruments } from './registry.ts';

/** What is read when somebody looks. */
export interface Sources {
  readonly deliveries: Pick<DeliveryStorage, 'backlog' | 'countBacklog' | 'trying'>;
  readonly tellings: Pick<TellingStorage, 'openSyncs' | 'listSyncs'>;
  readonly members: Pick<Members, 'members'>;
  /** `node` is undefined while this router is no member of its storage. */
  readonly dispatcher: {
    readonly inFlight: number;
    readonly parked: number;
    readonly held: number;
    readonly node: string | undefined;
  };
  readonly router: Router;
  /** As `/readyz` finds it. */
  readonly readiness: () => Promise<Findings>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'dropped'>;
}

/** What is counted of all that waits is so old, or older where that is much: it takes the storage time, and anybody may ask. */
const FRESH_MS = 2_000;
/** So long it is told while the next count fails, or takes longer than who looks waits: what wakes people is about what waits. */
const KNOWN_MS = 5 * 60_000;

export interface Metrics {
  /** `/metrics` in the format of Prometheus. */
  readonly page: Middleware;
  /** The same as data. */
  readonly read: () => ReturnType<Instruments['registry']['getMetricsAsJSON']>;
}

export function createMetrics(instruments: Instruments, sources: Sources): Metrics {
  const { registry } = instruments;
  const counts = countsOf(sources);
  const page = async (): Promise<string> => {
    await look(instruments, sources, counts);
    return registry.metrics();
  };
  let underWay: Promise<string> | undefined;
  return {
    async page(ctx, next) {
      if (ctx.path !== '/metrics') return next();
      // Those who ask at one time share the page.
      ctx.body = await (underWay ??= page().finally(() => (underWay = undefined)));
      ctx.type = registry.contentType;
    },
    async read() {
      await look(instruments, sources, counts);
      return registry.getMetricsAsJSON();
    },
  };
}

interface Counts {
  /** Shared by all who ask at about one time. */
  readonly now: () => Promise<Counted>;
  /** Undefined where that is too long ago. */
  readonly last: () => Counted | undefined;
}

function countsOf(sources: Sources): Counts {
  const { clock } = sources;
  const shared = sharedReadings<Counted>(clock, FRESH_MS);
  let last: { readonly counted: Counted; readonly at: number } | undefined;
  const count = async (): Promise<Counted> => {
    const counted = await countAll(sources);
    last = { counted, at: clock.steady() };
    return counted;
  };
  return {
    now: () => shared('all', count),
    last: () => (last !== undefined && clock.steady() - last.at < KNOWN_MS ? last.counted : undefined),
  };
}

/** What nobody counts is read into the instruments. */
async function look(instruments: Instruments, sources: Sources, counts: Counts): Promise<void> {
  const { dispatcher, router, clock, log } = sources;
  const [found, findings] = await Promise.all([sharedByAll(sources, counts), sources.readiness()]);
  // From here on nothing waits: who reads the instruments meanwhile misses none.
  instruments.routerInfo.set({ ...router }, 1);
  instruments.ready.set(isReady(findings) ? 1 : 0);
  instruments.inFlight.set(dispatcher.inFlight);
  instruments.held.set(dispatcher.held);
  instruments.logLinesDropped.reset();
  instruments.logLinesDropped.inc(log.dropped ?? 0);
  // Absent is what another router tells, and what nobody knows now: the page itself is there when the storage is not.
  for (const gauge of [instruments.unfinished, instruments.oldestSeconds, instruments.members]) gauge.reset();
  instruments.parked.remove();
  if (found === undefined) return;
  for (const [kind, size] of Object.entries(found.members)) instruments.members.set({ kind }, size);
  for (const state of ['pending', 'trying'] as const) {
    const { count, oldestReceivedAt: oldest = clock.steady() } = found[state];
    instruments.unfinished.set({ state }, count);
    instruments.oldestSeconds.set({ state }, Math.max(0, clock.steady() - oldest) / 1000);
  }
  instruments.parked.set(dispatcher.parked);
}

/**
 * What is the same for all routers is told by the first of them alone, so that a sum over routers is right; one that is cut off does not
 * hear that another is the first by now.
 */
async function sharedByAll({ members, dispatcher, clock }: Sources, counts: Counts): Promise<Counted | undefined> {
  const [first] = (await inTime(clock, members.members())) ?? [];
  if (first === undefined || first.node !== dispatcher.node) return undefined;
  return (await inTime(clock, counts.now())) ?? counts.last();
}

async function countAll({ deliveries, tellings }: Sources): Promise<Counted> {
  const pending = await allWaiting(deliveries);
  return { pending, trying: await deliveries.trying(), members: await membersOf(tellings) };
}

interface Counted {
  readonly pending: Unfinished;
  readonly trying: Unfinished;
  /** Of audiences and computed traits, by kind. */
  readonly members: Readonly<Record<string, number>>;
}

/** Of each of two questions: who scrapes waits ten seconds at most, and a storage that is cut off answers later. */
const LIMIT_MS = 2_000;

/** Undefined when it fails, or takes too long. */
async function inTime<Answer>(clock: Clock, asked: Promise<Answer>): Promise<Answer | undefined> {
  const answered = new AbortController();
  const late = clock.sleep(LIMIT_MS, answered.signal).then(() => undefined);
  const answer = await Promise.race([asked.catch(() => undefined), late]);
  answered.abort();
  return answer;
}
