import type { Directory } from '../directory/directory.ts';
import type { DefinitionKind, Undecided } from '../losses/undecided.ts';
import type { Clock } from '../ports/clock.ts';
import type { UndecidedEvents } from '../storage/profile-storage.ts';
import type { Computation } from './computations.ts';
import { measuredIn } from './explain.ts';
import { hourOf } from './hours.ts';

export interface TellPorts {
  readonly directory: Pick<Directory, 'computations'>;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
}

const KINDS = {
  audiences: 'audience',
  'computed-traits': 'computed_trait',
} as const satisfies Record<Computation['kind'], DefinitionKind>;

/** Tells which audiences and computed traits could not decide what they count (SAFE-2). */
export function tellUndecided(found: readonly UndecidedEvents[], { directory, undecided, clock }: TellPorts): void {
  const now = clock.now();
  const time = new Date(now).toISOString();
  for (const [workspace, own] of Map.groupBy(found, (one) => one.workspace)) {
    for (const computation of directory.computations(workspace).all) {
      const looksAt = measuresOf(computation, hourOf(now));
      const events = own
        .filter((one) => one.measures.some((measure) => looksAt.has(measure)))
        .reduce((sum, one) => sum + one.events, 0);
      if (events > 0) undecided.add(KINDS[computation.kind], computation.name, time, events);
    }
  }
}

/** Those too of what its definition refers to. */
function measuresOf({ at }: Computation, hour: number): ReadonlySet<string> {
  const of = at(hour);
  return new Set(('members' in of ? measuredIn(of.members) : [of.values]).map(({ measure }) => measure));
}
