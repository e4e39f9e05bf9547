import type { SyncCursor } from '../model/sync.ts';

/** A page of users who were compared for a destination. */
interface ComparedPage {
  readonly destination: string;
  /** How many users of it were told nothing before this page, as far as whoever tells it knows; none where it begins anew. */
  readonly leftOutBefore: number;
  /** The last user; undefined where nobody is behind. */
  readonly upTo: string | undefined;
  /** How many users are told nothing, as they are suppressed or filters drop what holds of them. */
  readonly leftOut: number;
}

/**
 * Where a sync stands once a destination was told up to a user, or to its end. Of the first alone it is stored how far it was told;
 * of the next that becomes it, once it is told more: whom it had come to may have been erased meanwhile (AUD-9).
 */
export function cursorAfter(before: SyncCursor, page: ComparedPage): SyncCursor {
  const { destinations, after } = before;
  const { destination, upTo } = page;
  return {
    ...before,
    destinations: upTo === undefined ? destinations.filter((one) => one !== destination) : destinations,
    after: destination === destinations[0] ? upTo : after,
    ...leftOutAfter(before, page),
  };
}

/** Where it stands once a destination was passed over, as it was disabled or gone: it is told no more by this sync (AUD-3). */
export function cursorPassing(before: SyncCursor, destination: string): SyncCursor {
  const after = cursorAfter(before, {
    destination,
    upTo: undefined,
    leftOutBefore: leftOutOf(before, destination),
    leftOut: 0,
  });
  return { ...after, passedOver: [...(before.passedOver ?? []), destination] };
}

/** How many users of a destination that is not done were told nothing so far. */
export function leftOutOf({ leftOutOf: all = {} }: SyncCursor, destination: string): number {
  return all[destination] ?? 0;
}

type LeftOut = Pick<SyncCursor, 'leftOut' | 'leftOutOf'>;

/**
 * A destination that begins anew counts anew: another process does not know how far it was told, unless it is the first, and that
 * it does not know where whom it had come to was erased. Nor does this one count a page twice whose answer was lost. One that is
 * done looks only at who was held back, once more.
 */
function leftOutAfter(before: SyncCursor, { destination, leftOutBefore, upTo, leftOut }: ComparedPage): LeftOut {
  const { leftOut: all = 0, leftOutOf: each = {} } = before;
  if (!before.destinations.includes(destination)) return { leftOut: before.leftOut, leftOutOf: before.leftOutOf };
  const { [destination]: known = 0, ...others } = each;
  const own = leftOutBefore + leftOut;
  const open = upTo === undefined || own === 0 ? others : { ...others, [destination]: own };
  return {
    leftOut: all - known + own || undefined,
    leftOutOf: Object.keys(open).length === 0 ? undefined : open,
  };
}
