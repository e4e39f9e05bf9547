import { lastTryAt } from '../../server/delivery/schedule.ts';
import { classOf, isOwnDoing } from '../../server/model/outcome.ts';
import { breachOf } from '../contract/sent-bodies.ts';
import { missigned } from './signature-oracle.ts';
import { delayBy, type Interruption } from './disturbance.ts';
import { deliveryKey, misrouted, postsOfEach } from './fan-out-oracle.ts';
import { isCrowdedOut, overrun } from './limits-oracle.ts';
import { disordered } from './order-oracle.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';
import type { Simulation } from './simulate.ts';
import type { SimulatedPost } from './simulated-transport.ts';

const MINUTE = 60_000;

/** What became of one message, by the clock that nobody sets. */
interface Course {
  readonly delivery: StoredDelivery;
  readonly acceptedAt: number;
  readonly posts: readonly SimulatedPost[];
  readonly simulation: Simulation;
  /** How much later than in an undisturbed world something may happen. */
  readonly delayMs: number;
}

interface Fact {
  readonly words: string;
  readonly isBroken: (course: Course) => boolean;
}

/** What holds for every delivery of every run, whatever the endpoints do, and whatever happens to the router. */
const FACTS: readonly Fact[] = [
  // HOOK-10
  {
    words: 'is delivered exactly when a webhook accepted it',
    isBroken: ({ delivery: { state, attempts } }) =>
      (state === 'delivered') !== attempts.some(({ outcome }) => classOf(outcome) === 'success'),
  },
  // HOOK-10
  {
    words: 'is not tried again after a success',
    isBroken: ({ delivery: { attempts } }) => {
      const successes = attempts.filter(({ outcome }) => classOf(outcome) === 'success');
      const first = Math.min(...successes.map(({ round }) => round));
      return attempts.some(({ round }) => round > first);
    },
  },
  // HOOK-18
  {
    words: 'is not tried again at a webhook that rejected it permanently',
    isBroken: ({ delivery: { attempts } }) => {
      const refused = attempts.filter(({ outcome }) => classOf(outcome) === 'permanent');
      return new Set(refused.map(({ webhook }) => webhook)).size < refused.length;
    },
  },
  // HOOK-9
  {
    words: 'is not tried after its window, once it was tried',
    isBroken: (course) => {
      const { posts, acceptedAt, delayMs, simulation } = course;
      const late = posts.filter(({ at }) => at >= acceptedAt + simulation.policy.windowMs + delayMs);
      return late.some(({ at }) => posts.some((post) => isUndisturbed(post, simulation) && endOf(post) < at));
    },
  },
  // HOOK-9
  {
    words: 'is ended once its window is over',
    isBroken: ({ delivery: { state }, acceptedAt, delayMs, simulation: { policy, endedAt } }) =>
      (state === 'pending' || state === 'trying') &&
      endedAt > acceptedAt + policy.windowMs + policy.deadlineMs + delayMs + MINUTE,
  },
  // HOOK-20
  {
    words: 'is attempted before it expires',
    isBroken: ({ delivery: { state, attempts } }) =>
      state === 'expired' && attempts.every(({ outcome }) => isOwnDoing(outcome)),
  },
  // D-25, HOOK-21
  {
    words: 'gets a last try before it expires',
    isBroken: ({ delivery, posts, acceptedAt, simulation }) => {
      const { policy, interruptions } = simulation;
      const [from, to] = [acceptedAt + policy.windowMs - 2 * policy.deadlineMs, acceptedAt + policy.windowMs];
      return (
        delivery.state === 'expired' &&
        !posts.some(({ at }) => at >= from) &&
        // A later process knows no more of the time than the wall says, and a router that stands still tries nothing.
        !interruptions.some((span) => span.kind === 'restart' || overlaps(span, from, to)) &&
        !isCrowdedOut(delivery, { from: lastTryAt(policy, acceptedAt), to }, simulation)
      );
    },
  },
  // HOOK-21, HOOK-20
  {
    words: 'arrives at an endpoint that is well within a minute',
    isBroken: (course) => {
      if (!isWell(course)) return false;
      const { delivery, posts, acceptedAt, delayMs } = course;
      const arrived = Math.min(...posts.map(({ at }) => at));
      return delivery.state !== 'delivered' || arrived > acceptedAt + delayMs + MINUTE;
    },
  },
  // HOOK-8
  {
    words: 'is not held against an endpoint that is well',
    isBroken: (course) =>
      isWell(course) &&
      (course.delivery.attempts.some(({ outcome }) => classOf(outcome) !== 'success' && !isOwnDoing(outcome)) ||
        course.simulation.parkings.some(({ destination }) => destination === course.delivery.destination)),
  },
  // D-24
  {
    words: 'holds no attempt longer than its deadline',
    isBroken: ({ delivery: { attempts }, simulation: { policy, interruptions } }) => {
      const most = interruptions.reduce((sum, { from, to }) => sum + to - from, policy.deadlineMs);
      return attempts.some(({ durationMs }) => durationMs > most || durationMs < 0);
    },
  },
  // D-22
  {
    words: 'counts every round before it is sent',
    isBroken: ({ delivery: { attempts, round } }) =>
      [...Map.groupBy(attempts, ({ webhook }) => webhook).values()].some((tries) => tries.length > round),
  },
];

/** Every broken invariant of a run, in words that name the delivery. */
export function brokenInvariants(simulation: Simulation): string[] {
  const postsOf = postsOfEach(simulation);
  const delayMs = delayBy(simulation.world.disturbances ?? [], simulation.policy.windowMs);
  const ofDeliveries = simulation.deliveries.flatMap((delivery) => {
    const { messageId } = delivery.message.event;
    const acceptedAt = simulation.acceptedAt.get(messageId) ?? simulation.startedAt;
    const posts = postsOf.get(deliveryKey(delivery.destination, messageId)) ?? [];
    const course = { delivery, acceptedAt, posts, simulation, delayMs };
    return FACTS.filter(({ isBroken }) => isBroken(course)).map(
      ({ words }) => `${messageId} ${words}: broken (it is ${delivery.state} at ${delivery.destination})`,
    );
  });
  return [
    ...ofDeliveries,
    ...misrouted(simulation),
    ...disordered(simulation),
    ...overrun(simulation),
    ...missigned(simulation),
    ...brokenBodies(simulation),
  ];
}

/** HOOK-12. */
function brokenBodies({ posts }: Simulation): string[] {
  const breaches = posts.map(({ request }) => breachOf(request.body));
  return breaches.filter((breach) => breach !== undefined).map((breach) => `a body breaks the contract: ${breach}`);
}

/** Whether every webhook of it takes whatever comes, at once. */
function isWell({ delivery, simulation: { world } }: Course): boolean {
  const { webhooks } = world.targets.get(delivery.destination) ?? { webhooks: [] };
  return webhooks.length > 0 && webhooks.every(({ url }) => world.characters.get(url)?.name === 'healthy');
}

function endOf({ endedAt }: SimulatedPost): number {
  return endedAt ?? Infinity;
}

/** Whether an attempt was surely written down as one that counts: nothing happened to the router until its round ended. */
function isUndisturbed(post: SimulatedPost, { policy, interruptions }: Simulation): boolean {
  const to = post.at + 2 * policy.deadlineMs;
  return endOf(post) <= to && !interruptions.some((span) => overlaps(span, post.at, to));
}

function overlaps({ from, to }: Interruption, begin: number, end: number): boolean {
  return from <= end && to >= begin;
}
