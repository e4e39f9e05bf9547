import { KEPT_VIOLATIONS, type Violation, type ViolationCount } from '../losses/violations.ts';
import { FORWARDED_VIOLATIONS } from './limits.ts';
import { createViolationCounts } from '../losses/violation-counts.ts';

/**
 * The violations of one request while its events are looked at. A body of 500 KB can hold fifty thousand of them: what
 * nobody will read is only counted.
 */
export interface Found {
  add(violations: readonly Violation[]): void;
  readonly counts: () => readonly ViolationCount[];
  /** Those that can be forwarded, in their order. */
  readonly first: readonly Violation[];
  /** Those that can be read later, in their order. */
  readonly last: readonly Violation[];
}

export function createFound(): Found {
  const counts = createViolationCounts();
  const [first, last]: [Violation[], Violation[]] = [[], []];
  return {
    add(violations) {
      for (const violation of violations) {
        const { type, event, kind } = violation;
        counts.add({ type, ...(event === undefined ? {} : { event }), kind, count: 1 });
        if (first.length < FORWARDED_VIOLATIONS) first.push(violation);
      }
      last.push(...violations);
      if (last.length > KEPT_VIOLATIONS) last.splice(0, last.length - KEPT_VIOLATIONS);
    },
    counts: () => counts.all(),
    first,
    last,
  };
}
