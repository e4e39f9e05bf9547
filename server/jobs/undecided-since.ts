import type { LossReader } from '../losses/loss-reader.ts';
import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import { sinceComputed } from './since-computed.ts';

interface Ports {
  readonly losses: Pick<LossReader, 'undecided'>;
  readonly tellings: Pick<TellingStorage, 'listSyncs'>;
}

interface Undecided {
  /** When the last event was found that took too long; undefined when none is known of. */
  readonly lastTime?: string;
  /** Why the run must not go on. */
  readonly reason?: string;
}

/**
 * Whether the definition took too long for an event to decide whether it counts, which no run was computed without. Who would be
 * found could be wrong: nobody is told, and the next run goes on without these events, and those that have come since: else where
 * they come all the time no run would ever end (SAFE-2).
 */
export async function undecidedSince(sync: Sync, { losses, tellings }: Ports): Promise<Undecided> {
  const found = (await losses.undecided([sync.computation])).get(sync.computation);
  if (found === undefined) return {};
  const { lastTime } = found;
  const before = await sinceComputed(sync, tellings);
  const isWithout = before.at(-1)?.basis?.undecided === lastTime;
  const isTold = before.some(({ reason }) => reason?.endsWith(WAY_OUT) === true);
  return isWithout || isTold ? { lastTime } : { lastTime, reason: undecidedReason(lastTime) };
}

const WAY_OUT = 'simplify their patterns and comparisons; the next sync leaves such events out';

export function undecidedReason(lastTime: string): string {
  const what = `at ${lastTime} an event exceeded the evaluation budget of its conditions`;
  return `${what}, so it is not known whether it counts: ${WAY_OUT}`;
}
