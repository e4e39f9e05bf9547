import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('slow-fsync.c', import.meta.url));

/** What makes every sync to disk of a process slow, and counts them. */
export interface SlowFsync {
  /** What the process needs in its environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** Syncs so far. */
  count(): number;
}

/** Throws when this machine cannot do it. */
export function makeSlowFsync(folder: string, ms: number): SlowFsync {
  const [library, counter] = [join(folder, 'slow-fsync.so'), join(folder, 'fsync-count')];
  if (process.platform !== 'linux') throw new Error(`slow-disk needs Linux, and this is ${process.platform}`);
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE]);
  } catch (cause) {
    throw new Error('slow-disk needs a C compiler: install one that is called cc', { cause });
  }
  writeFileSync(counter, Buffer.alloc(8));
  return {
    environment: { LD_PRELOAD: library, SLOW_FSYNC_MS: String(ms), SLOW_FSYNC_COUNT: counter },
    count: () => Number(readFileSync(counter).readBigUInt64LE()),
  };
}
