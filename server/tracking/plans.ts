import { isDeepStrictEqual } from 'node:util';
import type { Resources } from '../model/resources.ts';
import { KEPT_RULES } from './limits.ts';
import { createPlan, type Plan } from './plan.ts';

type TrackingPlan = Resources['tracking-plans'];

/** Plans as they are used: each is read, and each of its rules compiled, once for as long as its rules stay the same. */
export interface Plans {
  /** Of a plan as it stands in the store at this moment, so that a change holds for the next event (D-13). */
  of(stored: TrackingPlan): Plan;
}

interface Kept {
  readonly rules: TrackingPlan['rules'];
  readonly plan: Plan;
}

/**
 * Known again by name and rules, not by the time of the last change: that has whole seconds, and two changes fit into
 * one. The plans that were used last are kept, as many as hold `most` rules together, and at least one.
 */
export function createPlans(most = KEPT_RULES): Plans {
  // In the order of their last use.
  const kept = new Map<string, Kept>();
  const forget = (): void => {
    let size = 0;
    for (const [name, { plan }] of [...kept].toReversed()) {
      size += plan.size;
      if (size > most && size > plan.size) kept.delete(name);
    }
  };
  return {
    of(stored) {
      const known = kept.get(stored.name);
      const isSame =
        known !== undefined && (known.rules === stored.rules || isDeepStrictEqual(known.rules, stored.rules));
      const entry = isSame
        ? { plan: known.plan, rules: stored.rules }
        : { plan: createPlan(stored), rules: stored.rules };
      kept.delete(stored.name);
      kept.set(stored.name, entry);
      if (!isSame) forget();
      return entry.plan;
    },
  };
}
