import type { Scenario, Sender } from '../scenario.ts';
import { GIVEN_SCENARIOS, KIND_SCENARIOS } from './kinds.ts';
import { LOAD_SCENARIOS } from './load.ts';
import { REPETITION_SCENARIOS } from './repetition.ts';
import { ROTATION_SCENARIOS } from './rotation.ts';
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
  /** Why it is not asked; undefined where it is. */
  readonly notAsked: string | undefined;
}

/**
 * What is asked of a receiver of this sender's events, and for other senders what is not, and why. What Waybill does not have
 * is no part of its contract, and is left out.
 */
export function scenariosFor(sender: Sender): readonly Grouped[] {
  const groups = sender.isGiven ? [GIVEN, ...GROUPS] : GROUPS;
  return groups.flatMap(({ title, scenarios }) =>
    scenarios
      .map((scenario) => ({ scenario, group: title, notAsked: scenario.notFor?.(sender) }))
      .filter(({ notAsked }) => sender.isGiven || notAsked === undefined),
  );
}

const KINDS = 'Kinds of events';
const GIVEN: ScenarioGroup = { title: KINDS, scenarios: GIVEN_SCENARIOS };

/** In the order in which they are run: the plain ones first, what may break a receiver last. */
export const GROUPS: readonly ScenarioGroup[] = [
  { title: KINDS, scenarios: KIND_SCENARIOS },
  { title: 'Signatures', scenarios: [...SIGNATURE_SCENARIOS, ...ROTATION_SCENARIOS] },
  { title: 'Repeats and order', scenarios: REPETITION_SCENARIOS },
  { title: 'What is new or awkward', scenarios: TOLERANCE_SCENARIOS },
  { title: 'Size, pace and load', scenarios: LOAD_SCENARIOS },
];
