import { type Clock, momentOf } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Replay } from '../model/replay.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { JobStorage } from '../storage/job-storage.ts';
import type { Job, JobKind } from './runner.ts';

/** A job waits while so many deliveries wait for its destination: what it sends again must not expire in the queue. */
const WAITING_LIMIT = 1_000;
/** How long to wait before looking again when so many wait. */
const HELD_MS = 1_000;
/** The pace is kept in steps of about this long. */
const STEP_MS = 250;
/** A step takes milliseconds of a storage that accepts and records meanwhile: so many at once, and most of the time none. */
const AT_ONCE = 2;

export interface ReplayPorts {
  readonly storage: Pick<JobStorage, 'runningReplays' | 'stepReplay'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Told that deliveries of a destination are due on disk. */
  readonly wake: (destination: string) => void;
}

/** Bulk replays: ended deliveries are sent again, each replay at a pace of its own. */
export function replays(ports: ReplayPorts): JobKind {
  return {
    name: 'replays',
    atOnce: AT_ONCE,
    rests: true,
    find: async () => (await ports.storage.runningReplays()).map((replay) => jobOf(ports, replay)),
  };
}

function jobOf({ storage, clock, log, wake }: ReplayPorts, { id, destination, perSecond }: Replay): Job {
  const limit = Math.max(1, Math.round((perSecond * STEP_MS) / 1_000));
  return {
    name: String(id),
    workspace: workspaceOf(destination),
    async step() {
      const request = { replay: id, at: momentOf(clock), limit, waitingLimit: WAITING_LIMIT };
      const progress = await storage.stepReplay(request);
      if (progress === undefined) return 'over';
      const { replay, replayed, held } = progress;
      if (replayed > 0) wake(destination);
      if (replay.state !== 'finished') return held ? HELD_MS : (replayed / perSecond) * 1_000;
      const { examined, matched, dryRun } = replay;
      log.info({ destination, replay: id, examined, matched, dryRun }, 'bulk replay finished');
      return 'over';
    },
  };
}
