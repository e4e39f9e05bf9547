import type { SenderScenario } from '../scenario.ts';
import { HOLDING_SCENARIOS } from './holding.ts';
import { ORDER_SCENARIOS } from './order.ts';
import { BURST_SCENARIOS, RATE_SCENARIOS } from './rate.ts';
import { FIRST_SCENARIOS, REPEAT_SCENARIOS, REQUEST_SCENARIOS } from './requests.ts';
import { RETRY_SCENARIOS, SCHEDULE_SCENARIOS } from './retries.ts';
import { SIGNATURE_SCENARIOS } from './signatures.ts';
import { TLS_SCENARIOS } from './tls.ts';
import { ARRIVAL_SCENARIOS, RECOVERY_SCENARIOS, TOGETHER_SCENARIOS } from './together.ts';

export interface SenderGroup {
  readonly title: string;
  readonly scenarios: readonly SenderScenario[];
  /** Judged by what all requests have shown: nothing more is asked for, and what is still under way has the time that is kept for it. */
  readonly inTheEnd?: true;
}

/** In the order in which they are run: the schedule early, as others wait by it; what all requests show in the end. */
export const SENDER_GROUPS: readonly SenderGroup[] = [
  { title: 'First event', scenarios: FIRST_SCENARIOS },
  { title: 'Retries', scenarios: [...SCHEDULE_SCENARIOS, ...RETRY_SCENARIOS] },
  { title: 'Answers that do not end', scenarios: HOLDING_SCENARIOS },
  { title: 'Several events', scenarios: [...TOGETHER_SCENARIOS, ...ORDER_SCENARIOS, ...BURST_SCENARIOS] },
  { title: 'TLS', scenarios: TLS_SCENARIOS },
  { title: 'Recovery', scenarios: RECOVERY_SCENARIOS },
  { title: 'Requests', scenarios: [...ARRIVAL_SCENARIOS, ...RATE_SCENARIOS, ...REQUEST_SCENARIOS], inTheEnd: true },
  { title: 'Signatures', scenarios: SIGNATURE_SCENARIOS, inTheEnd: true },
  { title: 'Repeats', scenarios: REPEAT_SCENARIOS, inTheEnd: true },
];
