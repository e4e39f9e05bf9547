/** What audiences and computed traits are defined by, as it is stored: the JSON that was sent, checked. */

export type Scalar = string | number | boolean;

/** One of them; of what is missing, and of another kind than the value, none holds. */
export type Comparison =
  | { readonly eq: Scalar }
  | { readonly neq: Scalar }
  | { readonly gt: number }
  | { readonly gte: number }
  | { readonly lt: number }
  | { readonly lte: number }
  | { readonly in: Scalar[] }
  /** A part of a text, or an item of a list. */
  | { readonly contains: Scalar }
  | { readonly starts_with: string }
  | { readonly exists: true }
  /** Moments, as ISO 8601 text. */
  | { readonly before: string }
  | { readonly after: string };

/** Who is a member of an audience. */
export type Definition =
  | { readonly all: Definition[] }
  | { readonly any: Definition[] }
  | { readonly not: Definition }
  | { readonly trait: string; readonly is: Comparison }
  | { readonly events: EventsCondition }
  /** Full name of another audience. */
  | { readonly member_of: string }
  /** Full name of a computed trait. */
  | { readonly computed_trait: string; readonly is: Comparison };

/** Which events are counted. */
export interface CountedEvents {
  /** FQL. */
  readonly where: string;
  /** Absent: all events so far. */
  readonly window?: Window;
  /** Full names; absent: all sources of the workspace. */
  readonly sources?: string[];
}

/** Durations are whole hours or days, `12h` or `30d`. */
export type Window =
  | { readonly within: string }
  /** The nearer end first. */
  | { readonly between: [string, string] }
  /** A whole hour, as ISO 8601 text. */
  | { readonly since: string };

export interface Measured {
  /** Path of the value, as in FQL. */
  readonly of: string;
}

/** At most one measure; without one there has to be an event. */
export type EventsCondition = CountedEvents & {
  readonly count?: Comparison;
  readonly days?: Comparison;
  readonly sum?: Measured & Comparison;
  readonly avg?: Measured & Comparison;
  readonly min?: Measured & Comparison;
  readonly max?: Measured & Comparison;
  readonly first?: Measured & Comparison;
  readonly last?: Measured & Comparison;
  readonly distinct?: Measured & Comparison;
};

type OfValues = CountedEvents & Measured;

/** What value a user gets. */
export type TraitDefinition =
  | { readonly counter: CountedEvents }
  | { readonly sum: OfValues }
  | { readonly average: OfValues }
  | { readonly minimum: OfValues }
  | { readonly maximum: OfValues }
  | { readonly first: OfValues }
  | { readonly last: OfValues }
  | { readonly most_frequent: OfValues }
  | { readonly unique_list: OfValues }
  | { readonly unique_list_count: OfValues };

/** The most that one definition has, and a workspace of each kind. */
export const DEFINITION_LIMITS = {
  conditions: 50,
  depth: 8,
  /** With all that it refers to. */
  wholeConditions: 200,
  wholeDepth: 32,
  windowDays: 730,
  audiences: 100,
  computedTraits: 25,
} as const;
