import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Whether a library of our own can be put in front of the C library. */
export function canPreload(): boolean {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}

/** Compiles it into the folder; answers the file, for LD_PRELOAD. */
export function compiledLibrary(source: string, folder: string): string {
  const library = join(folder, 'library.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
  return library;
}
