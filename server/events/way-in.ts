import type { Turns } from '../evaluation/turns.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { DroppedEvents } from '../losses/dropped-events-port.ts';
import type { Log } from '../ports/log.ts';
import type { Undecided } from '../losses/undecided-port.ts';
import type { Violations } from '../losses/violations-port.ts';
import { suppressing } from './suppressing-intake.ts';
import type { Suppressions } from './suppressions.ts';
import type { Intake } from './intake.ts';
import { enforcing } from './enforcing-intake.ts';
import { createPlans } from '../tracking/plans.ts';

interface Ports {
  readonly store: ConfigStore;
  readonly suppressions: Pick<Suppressions, 'appliedTo'>;
  readonly dropped: DroppedEvents;
  readonly violations: Violations;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
  readonly log: Log;
}

/** What events of sources pass before they are stored: nothing is told of a suppressed user, so that comes first. */
export function wayIn(intake: Intake, { store: config, suppressions, ...ports }: Ports): Intake {
  const { dropped, log } = ports;
  const planned = enforcing(intake, { ...ports, config, plans: createPlans() });
  return suppressing(planned, { suppressions, dropped, log });
}
