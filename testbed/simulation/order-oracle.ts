import { messageIdOf } from './fan-out-oracle.ts';
import type { Simulation } from './simulate.ts';
import { routesOf, userOf } from './arrival.ts';

/** One POST of an event. */
interface Posted {
  readonly at: number;
  readonly messageId: string;
}

/** An event whose sender was told that it is accepted, and of whom it is. */
export interface Accepted {
  readonly messageId: string;
  /** Of a user, at a destination. */
  readonly line: string;
  readonly sentAt: number;
  readonly acceptedAt: number;
}

/**
 * HOOK-25: once an event of a user was sent, none that was accepted before its sender sent it is sent any more; not even once
 * more, whatever befalls routers. Says what broke that, in words.
 */
export function outOfOrder(posts: readonly Posted[], accepted: readonly Accepted[]): string[] {
  const times = Map.groupBy(posts, ({ messageId }) => messageId);
  const lines = Map.groupBy(accepted, ({ line }) => line);
  return [...lines.values()].flatMap((line) =>
    line.flatMap((later) => {
      const first = Math.min(...(times.get(later.messageId) ?? []).map(({ at }) => at));
      const before = line.filter(({ acceptedAt }) => acceptedAt < later.sentAt);
      const late = before.filter(({ messageId }) => times.get(messageId)?.some(({ at }) => at > first));
      return late.map(({ messageId }) => `${messageId} was sent after ${later.messageId}, which its user sent later`);
    }),
  );
}

/** Of one router, which accepts events one after the other, at each destination that asks for order (HOOK-25). */
export function disordered({ world, postsOf }: Simulation): string[] {
  return [...world.targets].flatMap(([name, { inOrder }]) => {
    if (inOrder !== true) return [];
    const accepted = world.arrivals
      .map((arrival, index) => ({ arrival, sentAt: index, acceptedAt: index + 0.5 }))
      .filter(({ arrival }) => routesOf(arrival).includes(name))
      .map(({ arrival, ...times }) => ({ messageId: arrival.messageId, line: userOf(arrival), ...times }));
    const sent = (postsOf.get(name) ?? []).map((post) => ({ at: post.at, messageId: messageIdOf(post) }));
    return outOfOrder(sent, accepted).map((words) => `${words}, to ${name}`);
  });
}
