import { Readable } from 'node:stream';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { archiveOf } from '../storage/archive/write-archive.ts';
import { SnapshotUnderWay } from '../storage/snapshot.ts';
import type { Storage } from '../storage/storage.ts';
import { THIS_ROUTER } from '../this-router.ts';
import { errorOf } from '../thrown.ts';

/** A backup takes a while. */
const RETRY_AFTER_S = 60;

export interface BackupParts {
  readonly snapshot: NonNullable<Storage['snapshot']>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Begins a backup of the storage, as a stream of bytes. */
export function createBackup({ snapshot, clock, log }: BackupParts): () => Promise<Readable> {
  return async () => {
    const taken = await snapshot().catch(underWay);
    const { version } = THIS_ROUTER;
    const stream = Readable.from(archiveOf(taken, { version, now: clock.now() }), { objectMode: false });
    // Not only when it reads on: who stands still is told as well, and so is the log.
    const { signal } = taken;
    signal.addEventListener('abort', () => stream.destroy(errorOf(signal.reason)), { once: true });
    // It ends in more ways than by being read: whoever reads may hang up before.
    stream.once('close', () => void taken.release());
    stream.once('error', ({ message }) => log.error({ reason: message }, 'a backup was cut off'));
    return stream;
  };
}

function underWay(error: unknown): never {
  if (!(error instanceof SnapshotUnderWay)) throw error;
  throw new ApiError('ResourceExhausted', error.message, { cause: error, retryAfterS: RETRY_AFTER_S });
}
