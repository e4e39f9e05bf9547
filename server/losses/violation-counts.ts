import { bytesOfTexts, ITEM_BYTES } from './bounded.ts';
import type { ViolationCount } from './violations.ts';

/** Pairs of event and kind that are counted apart: names of events come from senders, and know no bound. */
const COUNTED_PAIRS = 1_000;

/** Violations by type, kind and name of the event. */
export interface ViolationCounts {
  add(more: ViolationCount): void;
  all(): readonly ViolationCount[];
  /** Counts those of some events without their names. */
  unname(isGone: (event: string) => boolean): void;
  /** What they take in memory. */
  bytes(): number;
}

export function createViolationCounts(): ViolationCounts {
  const byPair = new Map<string, ViolationCount>();
  let bytes = 0;
  const add = ({ type, event, kind, count }: ViolationCount): void => {
    const own = JSON.stringify([type, kind, event]);
    const isNamed = event !== undefined && (byPair.has(own) || byPair.size < COUNTED_PAIRS);
    const key = isNamed ? own : JSON.stringify([type, kind]);
    const { count: before = 0 } = byPair.get(key) ?? {};
    if (before === 0) bytes += ITEM_BYTES + bytesOfTexts([key, isNamed ? event : undefined]);
    byPair.set(key, { type, ...(isNamed ? { event } : {}), kind, count: before + count });
  };
  return {
    add,
    all: () => [...byPair.values()],
    unname(isGone) {
      const all = [...byPair.values()];
      byPair.clear();
      bytes = 0;
      for (const { event, ...count } of all) add(event === undefined || isGone(event) ? count : { ...count, event });
    },
    bytes: () => bytes,
  };
}
