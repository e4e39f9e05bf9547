import type { components } from '../../generated/config-api.d.ts';

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
}
