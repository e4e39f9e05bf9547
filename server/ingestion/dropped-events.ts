import type { DropReason } from './drop-reason.ts';

export type DropCounts = ReadonlyMap<DropReason, number>;

/** How many events of a source were dropped, by reason, since this process began (D-42). */
export interface DroppedEvents {
  /** `source` is a full resource name. */
  add(source: string, drops: DropCounts): void;
  of(source: string): DropCounts;
}

export function createDroppedEvents(): DroppedEvents {
  const bySource = new Map<string, Map<DropReason, number>>();
  return {
    add(source, drops) {
      const counts = bySource.get(source) ?? new Map<DropReason, number>();
      for (const [reason, count] of drops) counts.set(reason, (counts.get(reason) ?? 0) + count);
      bySource.set(source, counts);
    },
    of: (source) => new Map(bySource.get(source)),
  };
}
