import type { BlockReason, Drop, DroppedEvents, DropReason } from '../ports/dropped-events.ts';

/** How many drops of a source can be read. */
export const KEPT_DROPS = 100;

interface OfSource {
  readonly counts: Map<DropReason | BlockReason, number>;
  /** Oldest first, no more than KEPT_DROPS. */
  readonly last: Drop[];
}

/** In memory: what was dropped tells an integrator what to mend now, and is gone with the process. */
export function createDroppedEvents(): DroppedEvents {
  const bySource = new Map<string, OfSource>();
  return {
    add(source, counts, last) {
      const kept = bySource.get(source) ?? { counts: new Map<DropReason | BlockReason, number>(), last: [] };
      for (const [reason, count] of counts) kept.counts.set(reason, (kept.counts.get(reason) ?? 0) + count);
      kept.last.push(...last.slice(-KEPT_DROPS));
      kept.last.splice(0, kept.last.length - KEPT_DROPS);
      bySource.set(source, kept);
    },
    of: (source) => new Map(bySource.get(source)?.counts),
    lastOf: (source) => (bySource.get(source)?.last ?? []).toReversed(),
  };
}
