import { computationOf, neededNow } from '../audiences/all-computations.ts';
import { hourOf } from '../audiences/hours.ts';
import { eachAlone } from '../fairness/each-alone.ts';
import type { Sync } from '../model/sync.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProfileStorage } from '../storage/profile-storage.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import { foldCaught, type FoldPorts } from './fold-caught.ts';
import type { Job, JobKind } from './runner.ts';

/** Rows that one transaction looks at. */
const LIMIT = 500;
const BETWEEN_LOOKS_MS = 60_000;
/** Others have their turn between two transactions. */
const BETWEEN_STEPS_MS = 10;

export interface UpkeepPorts extends FoldPorts {
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly profiles: Pick<ProfileStorage, 'fold' | 'tidy'>;
  readonly tellings: Pick<TellingStorage, 'openSyncs' | 'settle' | 'forgetTold'>;
}

/**
 * What goes on between the runs of audiences: caught events are folded, tellings that ended are counted, and what nothing refers to
 * any more is removed. None of them waits for another, which may wait for what one workspace has.
 */
export function audienceUpkeep(ports: UpkeepPorts): JobKind {
  const jobs = Object.entries({ fold, closeSyncs, tidy }).map(([name, step]) => upkeep(name, () => step(ports)));
  return { name: 'audience-upkeep', atOnce: jobs.length, find: () => Promise.resolve(jobs) };
}

function upkeep(name: string, step: () => Promise<boolean>): Job {
  return { name, step: async () => ((await step()) ? BETWEEN_STEPS_MS : BETWEEN_LOOKS_MS) };
}

/** Each answers whether more is left. */
type Step = (ports: UpkeepPorts) => Promise<boolean>;

/** So that a run finds little that is left to fold, and a workspace without computations keeps nothing of what was caught. */
const fold: Step = async (ports) => (await foldCaught(ports, { limit: LIMIT })).isMore;

/** Those of a computation that was deleted are forgotten, and of the others it is counted what their tellings came to. */
const closeSyncs: Step = async ({ tellings, directory, clock }) => {
  const syncs = await tellings.openSyncs();
  // Another router may have begun one of a computation that it has just made, and that is not known here yet.
  await directory.refresh();
  let isMore = false;
  await eachAlone(syncs, async (sync) => {
    const { computation } = sync;
    const isLeft = computationOf(directory, computation)
      ? await settleEnded(tellings, [sync])
      : await tellings.forgetTold({ computation, limit: LIMIT, now: clock.now() });
    isMore ||= isLeft;
  });
  return isMore;
};

/** By whichever of the clocks reads less: what a wall that is set forward for a moment leaves behind would be gone for good. */
const tidy: Step = ({ profiles, directory, clock }) =>
  profiles.tidy({ needed: () => neededNow(directory, hourOf(Math.min(clock.now(), clock.steady()))), limit: LIMIT });

/** Counts what tellings of these syncs came to, and takes back what was told by those that never arrived. Answers whether more is left. */
export async function settleEnded(tellings: Pick<TellingStorage, 'settle'>, syncs: readonly Sync[]): Promise<boolean> {
  let isMore = false;
  for (const { computation, number } of syncs.filter(isUnsettled)) {
    isMore = (await tellings.settle({ computation, sync: number, limit: LIMIT })).isMore || isMore;
  }
  return isMore;
}

function isUnsettled({ sent, delivered, failed, expired, superseded }: Sync): boolean {
  return sent > delivered + failed + expired + superseded;
}
