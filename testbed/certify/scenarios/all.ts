import type { Courier } from '../courier.ts';
import type { Scenario } from '../scenario.ts';
import { GIVEN_SCENARIOS, KIND_SCENARIOS } from './kinds.ts';
import { LOAD_SCENARIOS } from './load.ts';
import { REPETITION_SCENARIOS } from './repetition.ts';
import { SIGNATURE_SCENARIOS } from './signatures.ts';
import { TOLERANCE_SCENARIOS } from './tolerance.ts';

interface ScenarioGroup {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

/** A scenario with the heading that it stands under. */
export interface Grouped {
  readonly scenario: Scenario;
  readonly group: string;
}

/** What is asked of a receiver of this sender's events. */
export function scenariosFor(sender: Pick<Courier, 'scheme' | 'isGiven'>): readonly Grouped[] {
  return GROUPS.flatMap(({ title, scenarios }) =>
    scenarios
      .filter(({ isFor }) => isFor === undefined || isFor(sender))
      .map((scenario) => ({ scenario, group: title })),
  );
}

/** In the order in which they are run: the plain ones first, what may break a receiver last. */
export const GROUPS: readonly ScenarioGroup[] = [
  { title: 'Kinds of events', scenarios: [...KIND_SCENARIOS, ...GIVEN_SCENARIOS] },
  { title: 'Signatures', scenarios: SIGNATURE_SCENARIOS },
  { title: 'Repeats and order', scenarios: REPETITION_SCENARIOS },
  { title: 'What is new or awkward', scenarios: TOLERANCE_SCENARIOS },
  { title: 'Size, pace and load', scenarios: LOAD_SCENARIOS },
];
