import { createLastItems } from './memory/last-items.ts';
import { type Drop, type DroppedEvents, kindOfLoss, type LossKind, type LossReason } from './dropped-events-port.ts';

/** How many events of each kind can be read, of each source. */
export const KEPT_DROPS = 100;

/** What the lists of all sources take together at most. */
const LIST_BYTES = 16_000_000;

const KINDS = ['dropped', 'blocked', 'adjusted'] as const satisfies LossKind[];

/** In memory: what was dropped tells an integrator what to mend now, and is gone with the process. */
export function createDroppedEvents(listBytes = LIST_BYTES): DroppedEvents {
  // Reasons are few, so counts need no bound but that of the sources.
  const countsBySource = new Map<string, Map<LossReason, number>>();
  // A list for each kind: many events of one do not push out the few of another.
  const lists = createLastItems<Drop>({ items: KEPT_DROPS, bytes: listBytes, textsOf });
  return {
    add(source, counts, last) {
      const kept = countsBySource.get(source) ?? new Map<LossReason, number>();
      for (const [reason, count] of counts) kept.set(reason, (kept.get(reason) ?? 0) + count);
      countsBySource.set(source, kept);
      for (const kind of KINDS) {
        const items = last.filter(({ reason }) => kindOfLoss(reason) === kind);
        if (items.length > 0) lists.add(`${source} ${kind}`, items);
      }
    },
    of: (source) => new Map(countsBySource.get(source)),
    lastOf: (source) => KINDS.flatMap((kind) => lists.of(`${source} ${kind}`)),
  };
}

function textsOf({ type, messageId, event }: Drop): (string | undefined)[] {
  return [type, messageId, event];
}
