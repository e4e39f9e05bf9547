import { createLastItems } from '../memory/last-items.ts';
import type { BlockReason, Drop, DroppedEvents, DropReason } from '../ports/dropped-events.ts';

/** How many drops of a source can be read. */
export const KEPT_DROPS = 100;

/** What the lists of all sources take together at most. */
const LIST_BYTES = 16_000_000;

/** In memory: what was dropped tells an integrator what to mend now, and is gone with the process. */
export function createDroppedEvents(listBytes = LIST_BYTES): DroppedEvents {
  // Reasons are few, so counts need no bound but that of the sources.
  const countsBySource = new Map<string, Map<DropReason | BlockReason, number>>();
  const lists = createLastItems<Drop>({ items: KEPT_DROPS, bytes: listBytes, textsOf });
  return {
    add(source, counts, last) {
      const kept = countsBySource.get(source) ?? new Map<DropReason | BlockReason, number>();
      for (const [reason, count] of counts) kept.set(reason, (kept.get(reason) ?? 0) + count);
      countsBySource.set(source, kept);
      lists.add(source, last);
    },
    of: (source) => new Map(countsBySource.get(source)),
    lastOf: (source) => lists.of(source),
  };
}

function textsOf({ type, messageId, event }: Drop): (string | undefined)[] {
  return [type, messageId, event];
}
