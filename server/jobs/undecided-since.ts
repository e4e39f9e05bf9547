import type { LossReader } from '../losses/loss-reader.ts';
import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

interface Ports {
  readonly losses: Pick<LossReader, 'undecided'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs'>;
}

/** What another router counted so shortly before a run may not have been seen by it. */
const LATE_MS = 5_000;
/** Runs that are looked at: more of them do not end while something may not have been seen. */
const RUNS = 20;

/**
 * Why a run must not go on: the definition took too long for an event to decide whether it counts, which no run before has
 * ended with. Who would be found could be wrong: nobody is told, and the next run goes on without these events (SAFE-2).
 */
export async function undecidedSince(sync: Sync, { losses, tellings }: Ports): Promise<string | undefined> {
  const found = (await losses.undecided([sync.computation])).get(sync.computation);
  if (found === undefined) return undefined;
  const reason = reasonOf(found.lastTime);
  const before = await tellings.listSyncs({ computation: sync.computation, before: sync.number, limit: RUNS });
  const seen = before.find(({ computed }) => computed !== undefined);
  const wasSeen = seen !== undefined && Date.parse(found.lastTime) <= seen.startedAt - LATE_MS;
  return wasSeen || before.some((one) => one.reason === reason) ? undefined : reason;
}

function reasonOf(lastTime: string): string {
  return (
    `at ${lastTime} an event exceeded the evaluation budget of its conditions, so it is not known whether it counts: ` +
    'simplify their patterns and comparisons; the next sync leaves such events out'
  );
}
