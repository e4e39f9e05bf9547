import { createBounded } from '../memory/bounded.ts';
import { bytesOfTexts, createLastItems, ITEM_BYTES } from '../memory/last-items.ts';
import type { Violation, ViolationCount, Violations } from '../ports/violations.ts';

/** How many violations of a source can be read. */
export const KEPT_VIOLATIONS = 100;

/** Pairs of event and kind that are counted for a source: names of events come from senders, and know no bound. */
export const COUNTED_PAIRS = 1_000;

/** What the lists and the counts of all sources take together at most. */
const BYTES = { lists: 32_000_000, counts: 32_000_000 } as const;

interface Counts {
  readonly byPair: Map<string, ViolationCount>;
  bytes: number;
}

/** In memory, as dropped events are: what it tells is what to mend now, and it is gone with the process. */
export function createViolations(most: { readonly lists: number; readonly counts: number } = BYTES): Violations {
  const countsBySource = createBounded<Counts>(most.counts);
  const lists = createLastItems<Violation>({ items: KEPT_VIOLATIONS, bytes: most.lists, textsOf });
  return {
    add(source, found) {
      if (found.length === 0) return;
      const counts = countsBySource.get(source) ?? { byPair: new Map<string, ViolationCount>(), bytes: 0 };
      for (const violation of found) count(counts, violation);
      countsBySource.put(source, counts, counts.bytes);
      lists.add(source, found);
    },
    countsOf: (source) => [...(countsBySource.get(source)?.byPair.values() ?? [])],
    lastOf: (source) => lists.of(source),
  };
}

function count(counts: Counts, { type, event, kind }: Violation): void {
  const { byPair } = counts;
  const own = JSON.stringify([type, kind, event]);
  const isNamed = event !== undefined && (byPair.has(own) || byPair.size < COUNTED_PAIRS);
  const key = isNamed ? own : JSON.stringify([type, kind]);
  const { count: before = 0 } = byPair.get(key) ?? {};
  if (before === 0) counts.bytes += ITEM_BYTES + bytesOfTexts([key, isNamed ? event : undefined]);
  byPair.set(key, { type, ...(isNamed ? { event } : {}), kind, count: before + 1 });
}

function textsOf({ field, message, event, messageId }: Violation): (string | undefined)[] {
  return [field, message, event, messageId];
}
