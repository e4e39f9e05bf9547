import type { Scenario } from '../scenario.ts';
import { KIND_SCENARIOS } from './kinds.ts';
import { LOAD_SCENARIOS } from './load.ts';
import { REPETITION_SCENARIOS } from './repetition.ts';
import { SIGNATURE_SCENARIOS } from './signatures.ts';
import { TOLERANCE_SCENARIOS } from './tolerance.ts';

/** In the order in which they are run: the plain ones first, what may break a receiver last. */
export const SCENARIOS: readonly Scenario[] = [
  ...KIND_SCENARIOS,
  ...SIGNATURE_SCENARIOS,
  ...REPETITION_SCENARIOS,
  ...TOLERANCE_SCENARIOS,
  ...LOAD_SCENARIOS,
];
