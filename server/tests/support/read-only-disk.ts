import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from './delivery-world.ts';
import { isPossible } from './possible.ts';

const SOURCE = fileURLToPath(new URL('read-only-disk.c', import.meta.url));

/** A folder whose file system becomes read-only under whoever uses it, as with `errors=remount-ro` (`EROFS`). */
export interface ReadOnlyDisk {
  readonly folder: string;
  /** What the process that uses the folder needs in its environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly protect: () => void;
  readonly unprotect: () => void;
}

/** Whether there is a C compiler for it. */
export function canProtect(): boolean {
  return isPossible(compilesHere(), 'Linux and a C compiler (cc)');
}

function compilesHere(): boolean {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}

export function makeReadOnlyDisk(): ReadOnlyDisk {
  const [folder, aside] = [newFolder(), newFolder()];
  const [library, flag] = [join(aside, 'read-only-disk.so'), join(aside, 'is-read-only')];
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
  return {
    folder,
    env: { LD_PRELOAD: library, READ_ONLY_FOLDER: folder, READ_ONLY_WHILE: flag },
    protect: () => writeFileSync(flag, ''),
    unprotect: () => rmSync(flag),
  };
}
