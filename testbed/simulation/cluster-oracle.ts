import type { ClusterPost, ClusterRun } from './cluster.ts';
import type { ClusterWorld, Fault } from './cluster-world.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';
import { routesOf } from './arrival.ts';
import { beyondLimits } from './limits-oracle.ts';
import { outOfOrder } from './order-oracle.ts';
import { isSignedFor } from './signature-oracle.ts';
import { START } from './simulate.ts';

const SECOND = 1_000;
/** An answer that was seen is recorded within this, where nothing is wrong; else it was in flight. */
const RECORDED_MS = 3 * SECOND;

/** What a run of several routers broke of what holds for all of them, in words. */
export function clusterFaults(run: ClusterRun): string[] {
  const looks = [lost, misrouted, storedTwice, leftOver, repeats, late, overrun, abandoned, disordered, missigned];
  return looks.flatMap((look) => look(run));
}

/** NODE-1, HOOK-19: at each destination that it is routed to. */
function lost({ acknowledged, posts, world }: ClusterRun): string[] {
  const arrived = new Set(posts.map(keyOf));
  const accepted = world.arrivals.filter(({ messageId }) => acknowledged.has(messageId));
  const all = accepted.flatMap(({ messageId, ...arrival }) =>
    routesOf(arrival).map((destination) => keyOf({ messageId, destination })),
  );
  return all.filter((key) => !arrived.has(key)).map((key) => `${key} was acknowledged and never arrived`);
}

/** HOOK-19. */
function misrouted({ deliveries, posts, world }: ClusterRun): string[] {
  const routes = new Map(world.arrivals.map((arrival) => [arrival.messageId, routesOf(arrival)]));
  const isStray = ({ messageId, destination }: Addressed): boolean =>
    routes.get(messageId)?.includes(destination) !== true;
  const stored = deliveries.map(addressOf).filter(isStray);
  const sent = posts.filter(isStray);
  return [
    ...stored.map((one) => `${keyOf(one)} is stored, and has no such route`),
    ...sent.map((one) => `${keyOf(one)} was sent, and has no such route`),
  ];
}

/** NODE-6. */
function storedTwice({ deliveries }: ClusterRun): string[] {
  const all = Map.groupBy(deliveries.map(addressOf), keyOf);
  return [...all].filter(([, same]) => same.length > 1).map(([key]) => `${key} was stored twice`);
}

/** NODE-1, NODE-6: once all is calm, nothing waits any more, and nobody holds anything. */
function leftOver({ deliveries }: ClusterRun): string[] {
  return deliveries
    .filter(({ state }) => state !== 'delivered')
    .map((one) => `${keyOf(addressOf(one))} is ${one.state} at the end (${one.holder?.node ?? 'free'})`);
}

/** NODE-2. */
function repeats({ posts, world }: ClusterRun): string[] {
  const isExcused = (post: ClusterPost): boolean =>
    world.faults.some((fault) => touches(fault, post, world.routers.length));
  return [...Map.groupBy(posts, keyOf)].flatMap(([key, all]) => {
    const taken = all.filter(({ at, destination }) => isWell(world, at, destination));
    return taken.slice(0, -1).every(isExcused) ? [] : [`${key} came again, and was in flight at no fault`];
  });
}

interface Addressed {
  readonly messageId: string;
  readonly destination: string;
}

function addressOf({ message, destination }: StoredDelivery): Addressed {
  return { messageId: message.event.messageId, destination };
}

/** Of one delivery, in words. */
function keyOf({ messageId, destination }: Addressed): string {
  return `${messageId} for ${destination}`;
}

function endOf({ endedAt = Infinity }: ClusterPost): number {
  return endedAt;
}

function isWell({ endpoints }: ClusterWorld, at: number, destination: string): boolean {
  const result = endpoints.get(destination)?.(at - START).result;
  return result?.kind === 'answered' && result.status === 200;
}

/** Whether its router, or its way to the storage, was at fault while it was under way or not yet recorded. */
function touches({ at, kind, router, forMs }: Fault, post: ClusterPost, routers: number): boolean {
  if (!post.router.startsWith(`router-${router % routers}-`)) return false;
  const from = START + at;
  // A router that was cut off, or stood still, hears only later that its life is over.
  const to = from + forMs + (kind === 'kill' ? 0 : 15 * SECOND);
  return post.at <= to && endOf(post) + RECORDED_MS >= from;
}

/** NODE-3. */
function late({ posts }: ClusterRun): string[] {
  return posts
    .filter(({ at, leaseUntil }) => at >= leaseUntil)
    .map(({ messageId, router }) => `${messageId} was sent by ${router} after its lease`);
}

/** D-62, HOOK-24: at every moment and in each second, whoever joins, leaves, or is gone. */
function overrun({ posts, policy, world }: ClusterRun): string[] {
  return [...Map.groupBy(posts, ({ destination }) => destination)].flatMap(([destination, all]) => {
    const limits = world.targets.get(destination)?.limits;
    const inFlight = Math.min(policy.perDestination, limits?.inFlight ?? Infinity);
    const sent = all.map(({ at, endedAt = at + policy.deadlineMs }) => ({ at, endedAt }));
    return beyondLimits(sent, { ...limits, inFlight }).map((words) => `${destination}: ${words}`);
  });
}

function disordered({ posts, inOrder, world }: ClusterRun): string[] {
  return outOfOrder(
    posts.filter(({ destination }) => destination === world.inOrder),
    inOrder,
  );
}

/** HOOK-22, HOOK-23: each request verifies with every secret that was valid by what its router had been told. */
function missigned({ posts, world }: ClusterRun): string[] {
  const wrong = posts.filter(({ request, destination, secrets }) => {
    return !isSignedFor(request, secrets, world.targets.get(destination)?.signature ?? 'x-signature');
  });
  return wrong.map((post) => `${keyOf(post)} was sent by ${post.router}, and does not verify`);
}

/** NODE-4: where nothing else was at fault, and the destination is well. */
function abandoned({ orphans, posts, world }: ClusterRun): string[] {
  return orphans.flatMap(({ messageId, destination, at }) => {
    const near = world.faults.filter(
      ({ at: from, forMs }) => START + from + forMs + 15 * SECOND >= at && START + from <= at + 12 * SECOND,
    );
    const moments = [-60, -30, 0, 6, 11].map((seconds) => at + seconds * SECOND);
    if (near.length > 1 || !moments.every((moment) => isWell(world, moment, destination))) return [];
    const by = at + 11 * SECOND;
    const own = posts.filter((post) => post.destination === destination);
    const again = own.some((post) => post.messageId === messageId && post.at > at && post.at <= by);
    // What was accepted meanwhile, or waited before, may be in flight: it has its turn behind that.
    const isBusy = own.some((post) => post.at <= by && endOf(post) > by - SECOND);
    return again || isBusy
      ? []
      : [`${keyOf({ messageId, destination })} was held by a router that was killed, and not sent again within 11 s`];
  });
}
