import type { Violation, ViolationCount, Violations } from '../ports/violations.ts';

/** How many violations of a source can be read. */
export const KEPT_VIOLATIONS = 100;

/** Pairs of event and kind that are counted for a source: names of events come from senders, and know no bound. */
export const COUNTED_PAIRS = 1_000;

interface OfSource {
  readonly counts: Map<string, ViolationCount>;
  /** Oldest first, no more than KEPT_VIOLATIONS. */
  readonly last: Violation[];
}

/** In memory, as dropped events are: what it tells is what to mend now, and it is gone with the process. */
export function createViolations(): Violations {
  const bySource = new Map<string, OfSource>();
  return {
    add(source, found) {
      if (found.length === 0) return;
      const kept = bySource.get(source) ?? { counts: new Map<string, ViolationCount>(), last: [] };
      for (const violation of found) count(kept.counts, violation);
      kept.last.push(...found.slice(-KEPT_VIOLATIONS));
      kept.last.splice(0, kept.last.length - KEPT_VIOLATIONS);
      bySource.set(source, kept);
    },
    countsOf: (source) => [...(bySource.get(source)?.counts.values() ?? [])],
    lastOf: (source) => (bySource.get(source)?.last ?? []).toReversed(),
  };
}

function count(counts: Map<string, ViolationCount>, { type, event, kind }: Violation): void {
  const own = JSON.stringify([type, kind, event]);
  const isNamed = event !== undefined && (counts.has(own) || counts.size < COUNTED_PAIRS);
  const key = isNamed ? own : JSON.stringify([type, kind]);
  const { count: before = 0 } = counts.get(key) ?? {};
  counts.set(key, { type, ...(isNamed ? { event } : {}), kind, count: before + 1 });
}
