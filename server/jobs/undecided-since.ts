import type { LossReader } from '../losses/loss-reader.ts';
import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

interface Ports {
  readonly losses: Pick<LossReader, 'undecided'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs'>;
}

/** Runs that are looked at: more of them do not end while something may not have been seen. */
const RUNS = 20;

interface Undecided {
  /** When the last event was found that took too long; undefined when none is known of. */
  readonly lastTime?: string;
  /** Why the run must not go on. */
  readonly reason?: string;
}

/**
 * Whether the definition took too long for an event to decide whether it counts, which no run before has ended with, nor
 * was computed without. Who would be found could be wrong: nobody is told, and the next run goes on without these events (SAFE-2).
 */
export async function undecidedSince(sync: Sync, { losses, tellings }: Ports): Promise<Undecided> {
  const found = (await losses.undecided([sync.computation])).get(sync.computation);
  if (found === undefined) return {};
  const { lastTime } = found;
  const reason = reasonOf(lastTime);
  const before = await tellings.listSyncs({ computation: sync.computation, before: sync.number, limit: RUNS });
  const computed = before.find((one) => one.computed !== undefined);
  const isKnown = computed?.basis?.undecided === lastTime || before.some((one) => one.reason === reason);
  return isKnown ? { lastTime } : { lastTime, reason };
}

function reasonOf(lastTime: string): string {
  return (
    `at ${lastTime} an event exceeded the evaluation budget of its conditions, so it is not known whether it counts: ` +
    'simplify their patterns and comparisons; the next sync leaves such events out'
  );
}
