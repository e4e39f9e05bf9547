import type { Random } from '../ports/random.ts';
import type { DeliveryPolicy } from '../model/policy.ts';
import { waitAfter } from './schedule.ts';

/**
 * How a destination is doing (D-25).
 *
 * - `sending`: its deliveries go out, up to `limit` at once. The limit starts low and grows with each success, so that a
 *   destination that hangs never holds many places, and one that has recovered is not hit by all its backlog at once.
 *   `failures` counts the rounds in a row that failed temporarily.
 * - `parked`: so many rounds in a row have failed that sending more is pointless. Its events wait on disk; one probe at a
 *   time goes out, on the schedule on which one event is tried again. `probes` counts them. Any answer that is not a
 *   temporary failure ends it.
 */
export type Health =
  | { readonly state: 'sending'; readonly limit: number; readonly failures: number }
  | { readonly state: 'parked'; readonly probes: number; readonly probeAt: number };

/**
 * What a round says of its destination: `refused` is all permanent; `unsent` had nothing to send to, so that nothing is
 * held back for it; `unjudged` says nothing, as the fault was the router's own, or the window was over.
 */
export type RoundResult = 'delivered' | 'failed' | 'refused' | 'unsent' | 'unjudged';

export function initialHealth(policy: DeliveryPolicy): Health {
  return { state: 'sending', limit: Math.min(policy.rampStart, policy.perDestination), failures: 0 };
}

/** A round that has ended: what came of it, whether it was the probe of a parked destination, and when. */
export interface Ended {
  readonly result: RoundResult;
  readonly wasProbe: boolean;
  readonly at: number;
}

export function afterRound(policy: DeliveryPolicy, health: Health, ended: Ended, random: Random): Health {
  if (health.state === 'parked') {
    if (ended.result !== 'failed' && ended.result !== 'unjudged') return initialHealth(policy);
    if (!ended.wasProbe) return health;
    // A probe that says nothing is followed by another, soon.
    if (ended.result === 'unjudged') return { ...health, probeAt: ended.at + waitAfter(policy, 1, random) };
    return parked(policy, health.probes + 1, ended.at, random);
  }
  switch (ended.result) {
    case 'delivered':
      return { state: 'sending', limit: Math.min(health.limit + 1, policy.perDestination), failures: 0 };
    case 'failed':
      if (health.failures + 1 >= policy.parkAfter) return parked(policy, 1, ended.at, random);
      return { ...health, failures: health.failures + 1 };
    case 'refused':
    case 'unsent':
    case 'unjudged':
      return health;
  }
}

function parked(policy: DeliveryPolicy, probes: number, now: number, random: Random): Health {
  return { state: 'parked', probes, probeAt: now + waitAfter(policy, probes, random) };
}
