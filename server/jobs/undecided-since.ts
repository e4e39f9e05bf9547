import type { LossReader } from '../losses/loss-reader.ts';
import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

interface Ports {
  readonly losses: Pick<LossReader, 'undecided'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs'>;
}

/** What another router counted so lately may not have been seen by the run before. */
const LATE_MS = 5_000;

/**
 * Why a run must not go on: since the one before, the definition took too long for an event to decide whether it counts. Who would
 * be found could be wrong: nobody is told, and the next run goes on without these events (SAFE-2).
 */
export async function undecidedSince(sync: Sync, { losses, tellings }: Ports): Promise<string | undefined> {
  const found = (await losses.undecided([sync.computation])).get(sync.computation);
  if (found === undefined) return undefined;
  const [before] = await tellings.listSyncs({ computation: sync.computation, before: sync.number, limit: 1 });
  if (Date.parse(found.lastTime) <= seenBy(before)) return undefined;
  return (
    `at ${found.lastTime} an event exceeded the evaluation budget of its conditions, so it is not known whether it counts: ` +
    'simplify their patterns and comparisons; the next sync leaves such events out'
  );
}

/** Up to when what was undecided was known to a run, or ended it. */
function seenBy(before: Sync | undefined): number {
  if (before === undefined) return -Infinity;
  return before.state === 'FAILED' ? (before.endedAt ?? before.startedAt) : before.startedAt - LATE_MS;
}
