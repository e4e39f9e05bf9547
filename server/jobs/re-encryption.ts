import type { Log } from '../ports/log.ts';
import type { Resealing } from '../storage/storage.ts';
import type { Job, JobKind } from './runner.ts';

/** Others have their turn between two steps. */
const BETWEEN_STEPS_MS = 10;
/** How often the log is told how much is left. */
const TOLD_EVERY = 1_000;

export interface ReEncryptionPorts {
  readonly resealing: Resealing;
  readonly log: Log;
}

/**
 * After a start with another newest key, writes anew what is not encrypted with it. What a kill leaves, the next start finds;
 * and what routers wrote meanwhile that still have the key before, theirs.
 */
export function reEncryption(ports: ReEncryptionPorts): JobKind {
  let isDone = false;
  return {
    name: 're-encryption',
    atOnce: 1,
    async find() {
      if (isDone) return [];
      const left = await ports.resealing.left();
      isDone = left === 0;
      return isDone ? [] : [resealJob(left, ports)];
    },
  };
}

function resealJob(found: number, { resealing, log }: ReEncryptionPorts): Job {
  let left = found;
  let told = Infinity;
  return {
    name: 'secrets',
    async step() {
      if (told - left >= TOLD_EVERY) {
        log.info({ left }, 'encrypting stored secrets anew');
        told = left;
      }
      const done = await resealing.step();
      left = Math.max(0, left - done);
      if (done > 0) return BETWEEN_STEPS_MS;
      log.info({}, 'stored secrets were encrypted anew');
      return 'over';
    },
  };
}
