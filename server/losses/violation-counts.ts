import { bytesOfTexts, ITEM_BYTES } from './last-items.ts';
import type { ViolationCount } from './violations.ts';

/** Pairs of event and kind that are counted apart: names of events come from senders, and know no bound. */
export const COUNTED_PAIRS = 1_000;

/** Violations by type, kind and name of the event. */
export interface ViolationCounts {
  add(more: ViolationCount): void;
  all(): readonly ViolationCount[];
  /** What they take in memory. */
  bytes(): number;
}

export function createViolationCounts(): ViolationCounts {
  const byPair = new Map<string, ViolationCount>();
  let bytes = 0;
  return {
    add({ type, event, kind, count }) {
      const own = JSON.stringify([type, kind, event]);
      const isNamed = event !== undefined && (byPair.has(own) || byPair.size < COUNTED_PAIRS);
      const key = isNamed ? own : JSON.stringify([type, kind]);
      const { count: before = 0 } = byPair.get(key) ?? {};
      if (before === 0) bytes += ITEM_BYTES + bytesOfTexts([key, isNamed ? event : undefined]);
      byPair.set(key, { type, ...(isNamed ? { event } : {}), kind, count: before + count });
    },
    all: () => [...byPair.values()],
    bytes: () => bytes,
  };
}
