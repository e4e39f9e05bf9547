import { hash } from 'node:crypto';
import type { Event } from './message.ts';

/** So many bits are a whole number everywhere. */
const HEX_DIGITS = 13;

/**
 * The line of an event: those of one user at one destination are delivered one after the other, in the order in which they
 * were accepted (HOOK-25). A user is a `userId`, else an `anonymousId`; undefined where there is neither. It is a number, since
 * storage keeps it beside each delivery: two users that share one would wait for each other, and nothing else.
 */
export function lineOf({ userId, anonymousId }: Pick<Event, 'userId' | 'anonymousId'>): number | undefined {
  const user = userId === undefined ? anonymousId && `anonymous ${anonymousId}` : `user ${userId}`;
  return user === undefined ? undefined : Number.parseInt(hash('sha1', user).slice(0, HEX_DIGITS), 16);
}
