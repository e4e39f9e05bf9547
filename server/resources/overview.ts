import type { components } from '../../generated/config-api.d.ts';
import type { WaitingQueues } from '../delivery/waiting-queues.ts';
import { lostIn } from '../losses/ended-hours.ts';
import type { TrafficSeries } from '../losses/loss-reader.ts';
import type { TrafficPoint } from '../losses/traffic.ts';
import type { DestinationCount, HourlyCount, HourlySums } from '../model/logged-delivery.ts';
import type { Destination } from '../model/resources.ts';
import { sharedReadings } from '../shared-readings.ts';
import { deliveriesOf } from './deliveries.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { percentile, retriesOf, totalOf } from './metric-series.ts';
import { nameOf } from './names.ts';
import { countedOf, MAX_COUNTED } from './overview-destinations.ts';
import { queueOf, queuesOf } from './queues.ts';

type Schemas = components['schemas'];
type Overview = Schemas['Overview'];

const HOUR = 3_600_000;
const HOURS = 24;
/** What an overview shows is so old, or older where much waits: ten consoles that look at it cost what one does. */
const FRESH_MS = 3_000;
/** So many hours of destinations are added up in one call: some milliseconds of the storage, which has turns for deliveries in between. */
const MAX_AT_ONCE = 4_000;
/** So many destinations are listed. */
const MAX_LISTED = 100;

export function overviewHandlers(env: Env) {
  const shared = sharedReadings<Overview>(env.clock, FRESH_MS);
  return {
    async getOverview({ path, caller }) {
      const workspace = await requireParent(env.store, caller, nameOf('workspaces', path));
      return shared(workspace, () => readOverview(env, workspace));
    },
  } satisfies Partial<ConfigHandlers>;
}

async function readOverview(env: Env, workspace: string): Promise<Overview> {
  const { losses, members, clock } = env;
  const { sourceCount, webhooks: names, destination } = env.directory.connections(workspace);
  const now = clock.now();
  const { log } = deliveriesOf(env);
  const [queues, lost, ends, traffic, routers] = await Promise.all([
    queuesOf(env)(workspace, names),
    names.length > MAX_COUNTED ? log.counts({ destination: lostIn(workspace), ...lastDay(now) }) : [],
    log.counts({ destination: workspace, ...lastDay(now) }),
    losses.traffic(workspace),
    members.members(),
  ]);
  const counted = countedOf(names, { queues, lost });
  const sums = await sumsOf(env, counted, now);
  // One that was removed meanwhile is not shown.
  const stored = counted.flatMap((name) => destination(name) ?? []);
  const shown = stored.map((one) => destinationOverview(one, sums.counts.get(one.name) ?? [], queues)).toSorted(byNeed);
  return {
    name: `${workspace}/overview`,
    read_time: new Date(now).toISOString(),
    count_start_time: new Date(traffic.since).toISOString(),
    source_count: sourceCount,
    destination_count: names.length,
    router_count: routers.length,
    ...waitingFor(names, queues),
    minutes: traffic.minutes.map(trafficResource),
    hours: hoursOf(larger(sums.hours, ends), traffic.hours).map(trafficResource),
    destinations: shown.slice(0, MAX_LISTED),
  };
}

function lastDay(now: number): { readonly from: number; readonly to: number } {
  const to = Math.floor(now / HOUR) * HOUR + HOUR;
  return { from: to - HOURS * HOUR, to };
}

/** What was counted of the last 24 hours. One reading for most workspaces, and at most a handful. */
async function sumsOf(
  env: Env,
  names: readonly string[],
  now: number,
): Promise<{
  readonly counts: ReadonlyMap<string, readonly DestinationCount[]>;
  readonly hours: readonly HourlyCount[];
}> {
  const { log } = deliveriesOf(env);
  const { from: begin, to } = lastDay(now);
  const step = HOUR * Math.min(HOURS, Math.ceil(MAX_AT_ONCE / Math.max(1, names.length)));
  const read: HourlySums[] = [];
  for (let from = begin; from < to; from += step)
    read.push(await log.sums({ destinations: names, from, to: Math.min(to, from + step) }));
  const counts = Map.groupBy(
    read.flatMap(({ destinations }) => destinations),
    ({ destination }) => destination,
  );
  return { counts, hours: read.flatMap(({ hours }) => hours) };
}

function waitingFor(
  names: readonly string[],
  queues: WaitingQueues,
): Pick<Overview, 'open_circuit_count' | 'waiting_count' | 'oldest_waiting_time'> {
  const waiting = names.flatMap((name) => queues.waiting.get(name) ?? []);
  const oldest = waiting.reduce((least, { oldestReceivedAt: at }) => Math.min(least, at), Infinity);
  return {
    open_circuit_count: queues.circuitCount,
    waiting_count: waiting.reduce((sum, queue) => sum + queue.waiting, 0),
    ...(oldest === Infinity ? {} : { oldest_waiting_time: new Date(oldest).toISOString() }),
  };
}

function destinationOverview(
  { name, display_name, enabled }: Destination,
  counts: readonly DestinationCount[],
  queues: WaitingQueues,
): Schemas['DestinationOverview'] {
  const p95 = percentile(counts, 0.95);
  return {
    name,
    display_name,
    enabled,
    ...queueOf(queues, name),
    successes: totalOf(counts, 'successes'),
    failures: totalOf(counts, 'failures'),
    expirations: totalOf(counts, 'expirations'),
    retries: Object.values(retriesOf(counts)).reduce((sum, count) => sum + count, 0),
    ...(p95 === undefined ? {} : { time_to_success_p95: p95 }),
  };
}

/** Where nothing gets through comes first, then where something was lost, then where much waits, then where much is repeated. */
function byNeed(one: Schemas['DestinationOverview'], other: Schemas['DestinationOverview']): number {
  const needs = (of: Schemas['DestinationOverview']): number[] => [
    Number(of.circuit.state !== 'closed'),
    of.failures + of.expirations,
    of.waiting_count,
    of.retries,
    of.successes,
  ];
  const [mine, theirs] = [needs(one), needs(other)];
  const index = mine.findIndex((need, place) => need !== theirs[place]);
  return (theirs[index] ?? 0) - (mine[index] ?? 0);
}

/**
 * The greater count of each hour. The one of destinations lacks those that were not looked at, or are gone; the one of the workspace what
 * a router counted in the second in which it was killed, and what was before an upgrade.
 */
function larger(ofDestinations: readonly HourlyCount[], ofWorkspace: readonly HourlyCount[]): readonly HourlyCount[] {
  const hours = new Map<string, HourlyCount>();
  for (const one of [...ofDestinations, ...ofWorkspace]) {
    const key = `${one.hour} ${one.what}`;
    if (one.count > (hours.get(key)?.count ?? 0)) hours.set(key, one);
  }
  return [...hours.values()];
}

/** What came of deliveries is counted by the storage, what was accepted by this router. */
function hoursOf(ends: readonly HourlyCount[], accepted: TrafficSeries['hours']): TrafficPoint[] {
  const hours = new Map(accepted.map((hour) => [hour.at, { ...hour, delivered: 0, failed: 0 }]));
  for (const { hour, what, count } of ends) {
    const kind = KINDS[what];
    if (kind === undefined) continue;
    const point = hours.get(hour) ?? { at: hour, accepted: 0, delivered: 0, failed: 0 };
    point[kind] += count;
    hours.set(hour, point);
  }
  return [...hours.values()].toSorted((one, other) => one.at - other.at);
}

/** Of what storage counts. */
const KINDS: Readonly<Record<string, 'delivered' | 'failed'>> = {
  delivered: 'delivered',
  failed: 'failed',
  expired: 'failed',
};

function trafficResource({ at, ...counts }: TrafficPoint): Schemas['Traffic'] {
  return { time: new Date(at).toISOString(), ...counts };
}
