import { type Addressee, identifyCall, type Subject } from '../audiences/identify-call.ts';
import { compareUsers } from '../audiences/user-order.ts';
import type { Target } from '../delivery/target.ts';
import { lineOf } from '../model/line.ts';
import type { Moment } from '../ports/clock.ts';
import type { Telling } from '../storage/telling-storage.ts';

/** Who is told by a page of a sync. */
interface ToldTo extends Pick<Addressee, 'destination' | 'sync'> {
  readonly about: Subject;
  /** Undefined where the destination is disabled or gone: what is told to it is cancelled. */
  readonly target: Target | undefined;
  readonly at: Moment;
}

/**
 * What a destination is to be told of these users, in their order. Its filters drop and sample these calls as they do events: whom
 * they leave out was not told, and is looked at again by each run.
 */
export async function tellingsOf(
  users: readonly Pick<Addressee, 'user' | 'value'>[],
  { about, target, at, ...addressee }: ToldTo,
): Promise<readonly Telling[]> {
  const { createTime: toldTo, inOrder, admits } = target ?? {};
  const tellings = users
    .toSorted((a, b) => compareUsers(a.user, b.user))
    .map((one) => ({
      ...one,
      message: identifyCall(about, { ...addressee, toldTo, ...one }, at),
      line: inOrder === true ? lineOf({ userId: one.user }) : undefined,
    }));
  if (admits === undefined) return tellings;
  const admitted: Telling[] = [];
  for (const telling of tellings) if (await admits(telling.message.event)) admitted.push(telling);
  return admitted;
}
