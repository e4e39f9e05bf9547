import type { DeliveryPolicy } from './policy.ts';

/** What the seed sets: no figure may go beyond it (HOOK-8, HOOK-9). */
const MAX_DEADLINE_MS = 5_000;
const MAX_WINDOW_MS = 4 * 3_600_000;
/** Tries that one event may cost a receiver that is down for the whole window. */
const MAX_ROUNDS = 250;

/** What must hold among the figures of a policy: the smaller, the larger, and why. */
const ORDERS: readonly (readonly [small: keyof DeliveryPolicy, large: keyof DeliveryPolicy, why: string])[] = [
  ['deadlineMs', 'windowMs', 'no attempt would end within the window'],
  ['firstWaitMs', 'maxWaitMs', 'waits grow from the first to the maximum'],
  ['firstWaitMs', 'windowMs', 'nothing would be retried'],
  ['rampStart', 'perDestination', 'a destination would start beyond its own limit'],
  ['perDestination', 'inFlight', 'one destination could take every slot'],
  ['queueRoom', 'totalRoom', 'one destination could fill the memory of all'],
];

const COUNTS = [
  'perDestination',
  'inFlight',
  'rampStart',
  'parkAfter',
  'trialsPerSecond',
  'queueRoom',
  'totalRoom',
  'totalBytes',
] as const;
const TIMES = ['windowMs', 'deadlineMs', 'firstWaitMs', 'maxWaitMs'] as const;

/** What about a policy cannot hold, each fault with the values that contradict each other; empty when all can. */
export function checkPolicy(policy: DeliveryPolicy): readonly string[] {
  const alone = [
    ...COUNTS.filter((name) => !(Number.isInteger(policy[name]) && policy[name] >= 1)).map(
      (name) => `${name} is ${policy[name]}, and must be an integer of at least 1`,
    ),
    ...TIMES.filter((name) => !(Number.isFinite(policy[name]) && policy[name] > 0)).map(
      (name) => `${name} is ${policy[name]}, and must be above 0`,
    ),
  ];
  // Comparisons with what is no number would say nothing.
  return alone.length > 0 ? alone : [...beyond(policy), ...contradictions(policy)];
}

function beyond({ deadlineMs, windowMs }: DeliveryPolicy): string[] {
  const faults = [];
  if (deadlineMs > MAX_DEADLINE_MS) faults.push(`deadlineMs is ${deadlineMs}, the maximum is ${MAX_DEADLINE_MS}`);
  if (windowMs > MAX_WINDOW_MS) faults.push(`windowMs is ${windowMs}, the maximum is ${MAX_WINDOW_MS}`);
  return faults;
}

function contradictions(policy: DeliveryPolicy): string[] {
  const disorder = ORDERS.filter(([small, large]) => policy[small] > policy[large]).map(
    ([small, large, why]) => `${small} is ${policy[small]}, more than ${large}, which is ${policy[large]}: ${why}`,
  );
  const rounds = mostRounds(policy);
  if (rounds <= MAX_ROUNDS) return disorder;
  const { maxWaitMs, windowMs } = policy;
  return [
    ...disorder,
    `maxWaitMs is ${maxWaitMs}, which makes up to ${rounds} rounds of a windowMs of ${windowMs}, more than ${MAX_ROUNDS}`,
  ];
}

/** Rounds of one event if each fails at once, and every draw is the shortest: half of its bound. */
function mostRounds({ firstWaitMs, maxWaitMs, windowMs }: DeliveryPolicy): number {
  let rounds = 1;
  // Where a window has room for too many rounds, the waits have grown long before its end.
  for (let wait = firstWaitMs; wait < maxWaitMs; wait *= 2) rounds += 1;
  return rounds + Math.floor(windowMs / (maxWaitMs / 2));
}
