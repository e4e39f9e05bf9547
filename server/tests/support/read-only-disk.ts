import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canPreload, compiledLibrary } from './c-library.ts';
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
  return isPossible(canPreload(), 'Linux and a C compiler (cc)');
}

export function makeReadOnlyDisk(): ReadOnlyDisk {
  const [folder, aside] = [newFolder(), newFolder()];
  const [library, flag] = [compiledLibrary(SOURCE, aside), join(aside, 'is-read-only')];
  return {
    folder,
    env: { LD_PRELOAD: library, READ_ONLY_FOLDER: folder, READ_ONLY_WHILE: flag },
    protect: () => writeFileSync(flag, ''),
    unprotect: () => rmSync(flag),
  };
}
