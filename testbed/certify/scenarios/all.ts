import type { Scenario } from '../scenario.ts';
import { KIND_SCENARIOS } from './kinds.ts';
import { LOAD_SCENARIOS } from './load.ts';
import { REPETITION_SCENARIOS } from './repetition.ts';
import { SIGNATURE_SCENARIOS } from './signatures.ts';
import { TOLERANCE_SCENARIOS } from './tolerance.ts';

export interface ScenarioGroup {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

/** In the order in which they are run: the plain ones first, what may break a receiver last. */
export const GROUPS: readonly ScenarioGroup[] = [
  { title: 'Kinds of events', scenarios: KIND_SCENARIOS },
  { title: 'Signatures', scenarios: SIGNATURE_SCENARIOS },
  { title: 'Repeats and order', scenarios: REPETITION_SCENARIOS },
  { title: 'What is new or awkward', scenarios: TOLERANCE_SCENARIOS },
  { title: 'Size, pace and load', scenarios: LOAD_SCENARIOS },
];
