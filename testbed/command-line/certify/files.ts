import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { CertifyError } from '../../certify/certify-error.ts';
import { fileFault } from '../../recording/file-fault.ts';

/** Shows that a file can be written, and leaves all as it was: to learn it after a run would be too late. */
export function checkWritable(file: string): void {
  attempt('write', file, () => {
    const isNew = !existsSync(file);
    closeSync(openSync(file, 'a'));
    if (isNew) rmSync(file);
  });
}

export function writeText(file: string, text: string | Uint8Array): void {
  attempt('write', file, () => writeFileSync(file, text));
}

export function readText(file: string): string {
  return attempt('read', file, () => readFileSync(file, 'utf8'));
}

export function makeFolder(folder: string): void {
  attempt('write', folder, () => mkdirSync(folder, { recursive: true }));
}

function attempt<T>(what: 'read' | 'write', file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CertifyError(fileFault(what, file, error), { cause: error });
  }
}
