import type { components } from '../../generated/config-api.d.ts';
import { createBounded, createLastItems } from './bounded.ts';
import { createViolationCounts, type ViolationCounts } from './violation-counts.ts';

type Schemas = components['schemas'];

/** In what way an event is not as its tracking plan says: the closed public vocabulary. */
export type ViolationKind = Schemas['ViolationKind'];

/** What became of what was wrong. */
export type ViolationAction = Schemas['Violation']['action'];

/** One thing in one event that is not as planned. Names and what they must be; never what an event holds. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly action: ViolationAction;
  /** Which rule of the plan says so; absent where there is none. */
  readonly rule?: string;
  /** Where in the event: `properties.products[0].price`. */
  readonly field?: string;
  readonly message: string;
  /** Full name of the plan. */
  readonly plan: string;
  readonly type: string;
  /** Of tracked events, cut to a bounded length. */
  readonly event?: string;
  readonly messageId: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
}

export interface ViolationCount {
  readonly type: string;
  /** Absent for other calls than track, and for the events of further names when there are too many to count each. */
  readonly event?: string;
  readonly kind: ViolationKind;
  readonly count: number;
}

/** What was found in the events of each source. `source` is a full resource name. */
export interface Violations {
  /** Adds what was found in one request: all counts, and the last of the violations. */
  add(source: string, counts: readonly ViolationCount[], last: readonly Violation[]): void;
  /** Since this process began. */
  countsOf(source: string): readonly ViolationCount[];
  /** The last ones, newest first; no more than are kept. */
  lastOf(source: string): readonly Violation[];
  /** Of one source with each step, as `unname`. */
  removeLast(isOf: (source: string) => boolean, isGone: (violation: Violation) => boolean): Iterable<void>;
  /** All of these sources. */
  forget(isOf: (source: string) => boolean): void;
  /** Counts those of some events without their names. */
  unname(isOf: (source: string) => boolean, isGone: (event: string) => boolean): Iterable<void>;
}

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
    removeLast: (isOf, isGone) => lists.remove(isOf, isGone),
    forget(isOf) {
      countsBySource.remove(isOf);
      lists.forget(isOf);
    },
    *unname(isOf, isGone) {
      for (const source of countsBySource.keys().filter(isOf)) {
        const counts = countsBySource.get(source);
        if (counts === undefined) continue;
        counts.unname(isGone);
        countsBySource.put(source, counts, counts.bytes());
        yield;
      }
    },
  };
}

function textsOf({ field, message, event, messageId }: Violation): (string | undefined)[] {
  return [field, message, event, messageId];
}
