import { createBounded } from './memory/bounded.ts';
import { createLastItems } from './memory/last-items.ts';
import type { Violation, Violations } from './violations-port.ts';
import { createViolationCounts, type ViolationCounts } from './violation-counts.ts';

/** How many violations of a source can be read. */
export const KEPT_VIOLATIONS = 100;

/** What the lists and the counts of all sources take together at most. */
const BYTES = { lists: 32_000_000, counts: 32_000_000 } as const;

/** In memory, as dropped events are: what it tells is what to mend now, and it is gone with the process. */
export function createViolations(most: { readonly lists: number; readonly counts: number } = BYTES): Violations {
  const countsBySource = createBounded<ViolationCounts>(most.counts);
  const lists = createLastItems<Violation>({ items: KEPT_VIOLATIONS, bytes: most.lists, textsOf });
  return {
    add(source, counts, last) {
      if (counts.length === 0) return;
      const kept = countsBySource.get(source) ?? createViolationCounts();
      for (const more of counts) kept.add(more);
      countsBySource.put(source, kept, kept.bytes());
      lists.add(source, last);
    },
    countsOf: (source) => countsBySource.get(source)?.all() ?? [],
    lastOf: (source) => lists.of(source),
  };
}

function textsOf({ field, message, event, messageId }: Violation): (string | undefined)[] {
  return [field, message, event, messageId];
}
