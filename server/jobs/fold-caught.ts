import { allComputations, type RefreshedDirectory, spacesNow } from '../audiences/all-computations.ts';
import type { Computation } from '../audiences/computations.ts';
import { measuredIn } from '../audiences/explain.ts';
import { hourOf } from '../audiences/hours.ts';
import type { DefinitionKind, Undecided } from '../losses/undecided.ts';
import { workspaceOf } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import type { Folded, ProfileStorage, UndecidedMeasure } from '../storage/profile-storage.ts';

export interface FoldPorts {
  readonly directory: RefreshedDirectory;
  readonly profiles: Pick<ProfileStorage, 'fold'>;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Folds the oldest of what was caught, and tells which audiences and computed traits could not decide what they count (SAFE-2). */
export async function foldCaught(ports: FoldPorts, limit: number): Promise<Folded> {
  const { profiles, directory } = ports;
  const folded = await profiles.fold({ spaces: spacesNow(directory), limit });
  if (folded.undecided.length > 0) tell(folded.undecided, ports);
  return folded;
}

const KINDS = {
  audiences: 'audience',
  'computed-traits': 'computed_trait',
} as const satisfies Record<Computation['kind'], DefinitionKind>;

function tell(measures: readonly UndecidedMeasure[], { directory, undecided, clock }: FoldPorts): void {
  const now = clock.now();
  const time = new Date(now).toISOString();
  for (const computation of allComputations(directory)) {
    const looksAt = measuresOf(computation, hourOf(now));
    const own = measures.filter((one) => one.workspace === workspaceOf(computation.name) && looksAt.has(one.measure));
    const events = own.reduce((sum, one) => sum + one.events, 0);
    if (events > 0) undecided.add(KINDS[computation.kind], computation.name, time, events);
  }
}

/** Those too of what its definition refers to. */
function measuresOf({ at }: Computation, hour: number): ReadonlySet<string> {
  const of = at(hour);
  return new Set(('members' in of ? measuredIn(of.members) : [of.values]).map(({ measure }) => measure));
}
