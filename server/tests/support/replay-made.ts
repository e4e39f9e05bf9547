import { MAX_KEPT_REPLAYS, MAX_RUNNING_REPLAYS, type NewReplay, type Replay } from '../../model/replay.ts';
import type { JobStorage } from '../../storage/job-storage.ts';

/** Begins a replay where there is room for it. */
export async function replayMade(store: Pick<JobStorage, 'createReplay'>, replay: NewReplay): Promise<Replay> {
  const made = await store.createReplay({ ...replay, mostRunning: MAX_RUNNING_REPLAYS, mostKept: MAX_KEPT_REPLAYS });
  if (made === undefined) throw new Error('too many replays run');
  return made;
}
