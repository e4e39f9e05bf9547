import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { CertifyError } from '../../testbed/certify/certify-error.ts';

/** Shows that a file can be written, and leaves what is in it: to learn it after a run would be too late. */
export function checkWritable(file: string): void {
  attempt('write', file, () => closeSync(openSync(file, 'a')));
}

export function writeText(file: string, text: string | Uint8Array): void {
  attempt('write', file, () => writeFileSync(file, text));
}

export function readText(file: string): string {
  return attempt('read', file, () => readFileSync(file, 'utf8'));
}

export function makeFolder(folder: string): void {
  attempt('make', folder, () => mkdirSync(folder, { recursive: true }));
}

function attempt<T>(what: string, file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CertifyError(`Cannot ${what} ${file}: ${reason}`, { cause: error });
  }
}
