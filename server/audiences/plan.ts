import type { Comparison, Scalar } from '../model/definition.ts';

export type { Comparison, Scalar };

/** What is made of the events that a measure counts. */
export type Aggregate =
  | 'count'
  /** In how many days of UTC there was one. */
  | 'days'
  | 'sum'
  | 'avg'
  | 'min'
  | 'max'
  | 'first'
  | 'last'
  | 'distinct'
  | 'most_frequent'
  | 'list';

/** What tiles of a measure hold: how many and how much, each value, or the first and the last. */
export type TileKind = 'amounts' | 'values' | 'ends';

export const TILE_KINDS = {
  count: 'amounts',
  days: 'amounts',
  sum: 'amounts',
  avg: 'amounts',
  min: 'amounts',
  max: 'amounts',
  first: 'ends',
  last: 'ends',
  distinct: 'values',
  most_frequent: 'values',
  list: 'values',
} as const satisfies Readonly<Record<Aggregate, TileKind>>;

/** Different values of one user beyond these are not counted. */
export const MOST_VALUES = 10_000;

/** A list, as JSON, has no more: an event with it has 32 KB, and a page of results a thousand of them. */
export const LIST_BYTES = 8_192;

/** How sums and averages are rounded: those below a size to so many parts of one. What is larger stays as it is. */
export const ROUNDED = [
  { below: 1_000_000_000, scale: 1_000_000 },
  { below: 1_000_000_000_000, scale: 1_000 },
  { below: 1_000_000_000_000_000, scale: 1 },
] as const;

/** Hours of event time: hour `n` is the half-open `(n h, (n + 1) h]` since the epoch. */
export interface Hours {
  /** The first; absent: from the beginning. */
  readonly from?: number | undefined;
  /** The last. */
  readonly to: number;
}

/** An aggregate of one measure over some hours. */
export interface Measured {
  /** Id of the measure. */
  readonly measure: string;
  readonly aggregate: Aggregate;
  readonly hours: Hours;
  /**
   * What it is where there was no such event: 'zero' for count, days, sum and distinct of a condition on events; else
   * 'missing', for which no comparison holds.
   */
  readonly ofNone: 'zero' | 'missing';
}

/** Where a part of a plan came from. It changes nothing of what the part comes to: storages leave it alone. */
export interface Origin {
  /** Full names of the audiences, and at last of the computed trait, that stood in the place of this part; the outermost first. */
  readonly from?: readonly string[] | undefined;
}

/** A definition at one hour, with everything resolved that it refers to: plain data, which a storage evaluates. */
export type Plan = Origin & PlanPart;

type PlanPart =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Plan[] }
  /** The plain complement: over all profiles of the space, those without any event included. */
  | { readonly kind: 'not'; readonly of: Plan }
  | { readonly kind: 'trait'; readonly name: string; readonly is: Comparison }
  | { readonly kind: 'measured'; readonly value: Measured; readonly is: Comparison };
