import { type Addressee, identifyCall, type Subject } from '../audiences/identify-call.ts';
import { compareUsers } from '../audiences/user-order.ts';
import type { Target } from '../delivery/target.ts';
import { isSuppressed, type SuppressedUsers } from '../directory/suppressed-users.ts';
import { lineOf } from '../model/line.ts';
import type { Moment } from '../ports/clock.ts';
import type { Telling } from '../storage/telling-storage.ts';

/** Who is told by a page of a sync. */
interface ToldTo extends Pick<Addressee, 'destination' | 'sync'> {
  readonly about: Subject;
  /** Undefined where the destination is disabled or gone: what is told to it is cancelled. */
  readonly target: Target | undefined;
  readonly suppressed: SuppressedUsers | undefined;
  readonly at: Moment;
}

/** What a destination is to be told of users, and whom it is told nothing about. */
interface Chosen {
  readonly tellings: readonly Telling[];
  /** Suppressed, or left out by filters of the destination. They were not told, and are looked at again by each run. */
  readonly leftOut: readonly string[];
}

/** Filters of a destination drop and sample calls about these users, in their order, as they do events. */
export async function tellingsOf(
  users: readonly Pick<Addressee, 'user' | 'value'>[],
  { about, target, at, suppressed, ...addressee }: ToldTo,
): Promise<Chosen> {
  const { createTime: toldTo, inOrder, admits } = target ?? {};
  const tellings: Telling[] = [];
  const leftOut: string[] = [];
  /** Undefined where a filter drops it. */
  const tellingOf = async (one: (typeof users)[number]): Promise<Telling | undefined> => {
    const message = identifyCall(about, { ...addressee, toldTo, ...one }, at);
    if (!((await admits?.(message.event)) ?? true)) return undefined;
    return { ...one, message, line: inOrder === true ? lineOf({ userId: one.user }) : undefined };
  };
  for (const one of users.toSorted((a, b) => compareUsers(a.user, b.user))) {
    // Each call costs a digest: of who is suppressed none is made.
    const telling = isSuppressed(suppressed, one.user) ? undefined : await tellingOf(one);
    if (telling === undefined) leftOut.push(one.user);
    else tellings.push(telling);
  }
  return { tellings, leftOut };
}
