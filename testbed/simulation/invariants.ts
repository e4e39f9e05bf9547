import { classOf } from '../../server/delivery/outcome.ts';
import { breachOf } from '../contract/sent-bodies.ts';
import type { StoredDelivery } from './memory-delivery-store.ts';
import type { Simulation } from './simulate.ts';

interface Fact {
  readonly rule: string;
  readonly words: string;
  readonly isBroken: (delivery: StoredDelivery, simulation: Simulation) => boolean;
}

/** What holds for every delivery of every run, whatever the endpoints do. */
const FACTS: readonly Fact[] = [
  {
    rule: 'HOOK-10',
    words: 'is delivered exactly when a webhook took it',
    isBroken: ({ state, attempts }) =>
      (state === 'delivered') !== attempts.some(({ outcome }) => classOf(outcome) === 'success'),
  },
  {
    rule: 'HOOK-10',
    words: 'is not tried again after a success',
    isBroken: ({ attempts }) => attempts.some(({ startedAt }) => startedAt > firstSuccessAt(attempts)),
  },
  {
    rule: 'HOOK-18',
    words: 'is not tried again at a webhook that refused it for good',
    isBroken: ({ attempts }) => {
      const refused = attempts.filter(({ outcome }) => classOf(outcome) === 'permanent');
      return new Set(refused.map(({ webhook }) => webhook)).size < refused.length;
    },
  },
  {
    rule: 'HOOK-9',
    words: 'is not tried after its window',
    isBroken: ({ attempts, message }, { policy }) =>
      attempts.some(({ startedAt }) => startedAt >= message.receivedAt + policy.windowMs),
  },
  {
    rule: 'HOOK-9',
    words: 'is ended once its window is over',
    isBroken: ({ state, message }, simulation) =>
      (state === 'pending' || state === 'trying') && isOver(message.receivedAt, simulation),
  },
  {
    rule: 'D-25',
    words: 'gets a last try before it expires',
    isBroken: ({ state, attempts, message }, { policy }) =>
      state === 'expired' &&
      !attempts.some(({ startedAt }) => startedAt >= message.receivedAt + policy.windowMs - 2 * policy.deadlineMs),
  },
  {
    rule: 'D-24',
    words: 'holds no attempt longer than its deadline',
    isBroken: ({ attempts }, { policy }) => attempts.some(({ durationMs }) => durationMs > policy.deadlineMs),
  },
  {
    rule: 'D-22',
    words: 'counts every round before it is sent',
    isBroken: ({ attempts, round }) =>
      [...Map.groupBy(attempts, ({ webhook }) => webhook).values()].some((tries) => tries.length > round),
  },
];

/** Every broken invariant of a run, in words that name the delivery. */
export function brokenInvariants(simulation: Simulation): string[] {
  const ofDeliveries = simulation.deliveries.flatMap((delivery) =>
    FACTS.filter(({ isBroken }) => isBroken(delivery, simulation)).map(
      ({ rule, words }) => `${rule}: ${delivery.message.event.messageId} ${words}: broken (it is ${delivery.state})`,
    ),
  );
  return [...ofDeliveries, ...brokenBodies(simulation)];
}

function brokenBodies({ posts }: Simulation): string[] {
  const breaches = posts.map(({ request }) => breachOf(request.body));
  return breaches
    .filter((breach) => breach !== undefined)
    .map((breach) => `HOOK-12: a body breaks the contract: ${breach}`);
}

function firstSuccessAt(attempts: StoredDelivery['attempts']): number {
  const ends = attempts
    .filter(({ outcome }) => classOf(outcome) === 'success')
    .map(({ startedAt, durationMs }) => startedAt + durationMs);
  return Math.min(...ends);
}

/** The window, and the moment that its last attempt takes. */
function isOver(receivedAt: number, { policy, posts, startedAt }: Simulation): boolean {
  const end = posts.at(-1)?.at ?? startedAt;
  return end > receivedAt + policy.windowMs + policy.deadlineMs;
}
