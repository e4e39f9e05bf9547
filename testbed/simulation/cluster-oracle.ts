import type { ClusterPost, ClusterRun } from './cluster.ts';
import type { ClusterWorld, Fault } from './cluster-world.ts';
import { beyondLimits } from './limits-oracle.ts';
import { outOfOrder } from './order-oracle.ts';
import { START } from './simulate.ts';

const SECOND = 1_000;
/** An answer that was seen is recorded within this, where nothing is wrong; else it was in flight. */
const RECORDED_MS = 3 * SECOND;

/** What a run of several routers broke of what holds for all of them, in words. */
export function clusterFaults(run: ClusterRun): string[] {
  const looks = [lost, storedTwice, leftOver, repeats, late, overrun, abandoned, disordered];
  return looks.flatMap((look) => look(run));
}

/** NODE-1. */
function lost({ acknowledged, posts }: ClusterRun): string[] {
  const arrived = new Set(posts.map(({ messageId }) => messageId));
  return [...acknowledged].filter((id) => !arrived.has(id)).map((id) => `${id} was acknowledged and never arrived`);
}

/** NODE-6. */
function storedTwice({ deliveries }: ClusterRun): string[] {
  const ids = deliveries.map(({ message }) => message.event.messageId);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) < index))].map((id) => `${id} was stored twice`);
}

/** NODE-1, NODE-6: once all is calm, nothing waits any more, and nobody holds anything. */
function leftOver({ deliveries }: ClusterRun): string[] {
  return deliveries
    .filter(({ state }) => state !== 'delivered')
    .map(
      ({ message, state, holder }) => `${message.event.messageId} is ${state} at the end (${holder?.node ?? 'free'})`,
    );
}

/** NODE-2. */
function repeats({ posts, world }: ClusterRun): string[] {
  const isExcused = (post: ClusterPost): boolean =>
    world.faults.some((fault) => touches(fault, post, world.routers.length));
  return [...Map.groupBy(posts, ({ messageId }) => messageId)].flatMap(([id, all]) => {
    const taken = all.filter(({ at, destination }) => isWell(world, at, destination));
    return taken.slice(0, -1).every(isExcused) ? [] : [`${id} came again, and was in flight at no fault`];
  });
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
    const limits = world.limits.get(destination);
    const inFlight = Math.min(policy.perDestination, limits?.inFlight ?? Infinity);
    const sent = all.map(({ at, endedAt = at + policy.deadlineMs }) => ({ at, endedAt }));
    return beyondLimits(sent, { ...limits, inFlight }).map((words) => `${destination}: ${words}`);
  });
}

function disordered({ posts, inOrder }: ClusterRun): string[] {
  return outOfOrder(posts, inOrder);
}

/** NODE-4: where nothing else was at fault, and the destination is well. */
function abandoned({ orphans, posts, world }: ClusterRun): string[] {
  return orphans.flatMap(({ messageId, at }) => {
    const near = world.faults.filter(
      ({ at: from, forMs }) => START + from + forMs + 15 * SECOND >= at && START + from <= at + 12 * SECOND,
    );
    const destination = world.arrivals.find((one) => one.messageId === messageId)?.destination ?? '';
    const moments = [-60, -30, 0, 6, 11].map((seconds) => at + seconds * SECOND);
    if (near.length > 1 || !moments.every((moment) => isWell(world, moment, destination))) return [];
    const by = at + 11 * SECOND;
    const again = posts.some((post) => post.messageId === messageId && post.at > at && post.at <= by);
    // What was accepted meanwhile, or waited before, may be in flight: it has its turn behind that.
    const isBusy = posts.some((post) => post.destination === destination && post.at <= by && endOf(post) > by - SECOND);
    return again || isBusy ? [] : [`${messageId} was held by a router that was killed, and not sent again within 11 s`];
  });
}
