/** What one rule of a tracking plan may be. Real rules stay far below; beyond, one event could keep the router busy. */
export const RULE_LIMITS = {
  /** Bytes of its JSON. */
  bytes: 100_000,
  /** Schemas within schemas. */
  depth: 40,
  /** Schemas in the schema, each reference counted as what it stands for: their checks stand within each other. */
  schemas: 1_000,
  /** Values in the schema, those within constants too, each reference counted as what it stands for. */
  values: 5_000,
  /** As `values`, of those that are tried for each item of a list or each field of an object. */
  repeatedValues: 500,
  /** Instructions that its regular expressions come to together, each counted once. */
  patternSteps: 10_000,
} as const;

/** Events, each of their versions counted, in one plan. */
export const PLAN_EVENTS = 2_000;

/** As `patternSteps`, of all rules of a plan together. */
export const PLAN_PATTERN_STEPS = 100_000;

/** Characters of a regular expression. */
export const PATTERN_LENGTH = 4_096;

/** Instructions that a regular expression comes to; a list of some hundred words belongs into `enum`. */
export const PATTERN_SIZE = 1_000;

/** Violations of one event that are told apart; the others are left out. */
export const EVENT_VIOLATIONS = 20;

/** Violations of one request that are forwarded as events; the others are only counted. */
export const FORWARDED_VIOLATIONS = 1_000;

/** What rules that are kept ready weigh, over all plans: some 80 MB. */
export const KEPT_WEIGHT = 200_000;
