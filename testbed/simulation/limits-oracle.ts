import type { Limits } from '../../server/delivery/pace.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';
import { messageIdOf } from './fan-out-oracle.ts';
import type { Simulation } from './simulate.ts';
import type { SimulatedPost } from './simulated-transport.ts';

const SECOND = 1_000;
/** Slots are fractions of milliseconds. */
const ROUNDING_MS = 1;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** One round of a delivery, or its only request. */
export interface Sent {
  readonly at: number;
  /** Infinite while it is under way. */
  readonly endedAt: number;
}

/** HOOK-24: what was sent to one destination beyond its limits, in words. A rate may be a tenth above, and one more at its edge. */
export function beyondLimits(sent: readonly Sent[], { perSecond = Infinity, inFlight = Infinity }: Limits): string[] {
  const [open, hurried] = [mostOpen(sent), mostWithin(startsOf(sent), SECOND)];
  return [
    ...(open > inFlight ? [`${open} in flight at once`] : []),
    ...(hurried > perSecond * 1.1 + 1 ? [`${hurried} were sent in a second`] : []),
  ];
}

function mostOpen(sent: readonly Sent[]): number {
  const ends = sent.map(({ endedAt }) => endedAt).toSorted((a, b) => a - b);
  let [closed, most] = [0, 0];
  for (const [index, at] of startsOf(sent).entries()) {
    while ((ends[closed] ?? Infinity) <= at) closed += 1;
    most = Math.max(most, index + 1 - closed);
  }
  return most;
}

/** The most of these times, in their order, that lie within so many milliseconds. */
export function mostWithin(times: readonly number[], ms: number): number {
  let [first, most] = [0, 0];
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? at) <= at - ms) first += 1;
    most = Math.max(most, index + 1 - first);
  }
  return most;
}

function startsOf(sent: readonly Sent[]): number[] {
  return sent.map(({ at }) => at).toSorted((a, b) => a - b);
}

/** Of one router, at each destination (HOOK-24). A round of several webhooks counts as one. */
export function overrun(simulation: Simulation): string[] {
  const { policy, world } = simulation;
  return [...simulation.postsOf].flatMap(([name, posts]) => {
    const limits = world.targets.get(name)?.limits;
    const inFlight = Math.min(policy.perDestination, limits?.inFlight ?? Infinity);
    return beyondLimits(roundsOf(posts, simulation), { ...limits, inFlight }).map((words) => `${name}: ${words}`);
  });
}

/**
 * HOOK-24: whether the limit of its destination left an event no room for its last try. What was accepted together has its last
 * tries together, and all windows end within seconds; the limit lets some through, those that were accepted first, and what was
 * tried before ends with its window: it is not sent later, and the limit is not exceeded for it. So much is excused, and no
 * more: all the time in which it could have been sent, the limit was used up, by events that were accepted before it, or by
 * what had begun when that time came, as a probe may have.
 */
export function isCrowdedOut(
  { destination, message }: StoredDelivery,
  { from, to }: Span,
  simulation: Simulation,
): boolean {
  const limits = simulation.world.targets.get(destination)?.limits;
  if (limits === undefined) return false;
  const accepted = [...simulation.acceptedAt.keys()];
  const before = new Set(accepted.slice(0, accepted.indexOf(message.event.messageId)));
  const comesFirst = (post: SimulatedPost): boolean => post.at < from || before.has(messageIdOf(post));
  const posts = (simulation.postsOf.get(destination) ?? []).filter(comesFirst);
  return freeMs(roundsOf(posts, simulation), limits, { from, to }) <= ROUNDING_MS;
}

/** For how long another round could have been started. */
function freeMs(
  rounds: readonly Sent[],
  { perSecond = Infinity, inFlight = Infinity }: Limits,
  { from, to }: Span,
): number {
  const gapMs = SECOND / perSecond;
  const isFree = (at: number): boolean =>
    rounds.filter((round) => round.at <= at && round.endedAt > at).length < inFlight &&
    !rounds.some((round) => round.at <= at && round.at + gapMs > at);
  const changes = rounds.flatMap(({ at, endedAt }) => [at, endedAt, at + gapMs]).filter((at) => at > from && at < to);
  const moments = [from, ...changes.toSorted((a, b) => a - b), to];
  return moments.slice(1).reduce((sum, end, index) => {
    const begin = moments[index] ?? end;
    return isFree(begin) ? sum + end - begin : sum;
  }, 0);
}

function roundsOf(posts: readonly SimulatedPost[], simulation: Simulation): Sent[] {
  const rounds = Map.groupBy(posts, (post) => `${post.at} ${messageIdOf(post)}`);
  return [...rounds.values()].flatMap((round) => roundOf(round, simulation));
}

/** The sockets of a router that is killed end with it. */
function roundOf(round: readonly SimulatedPost[], { interruptions }: Simulation): Sent[] {
  const [first] = round;
  if (first === undefined) return [];
  const killed = interruptions.find(({ kind, from }) => kind === 'restart' && from >= first.at);
  const answered = Math.max(...round.map(({ endedAt = Infinity }) => endedAt));
  return [{ at: first.at, endedAt: Math.min(answered, killed?.from ?? Infinity) }];
}
