import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { packFolder } from '../../../scripts/release/pack.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const CACHE = join(ROOT, 'node_modules/.cache');

/** It ends what hangs. */
const MAX_BUILD_MS = 280_000;
/** Builds of sources that were changed since are kept for this long: another run may still read them. */
const KEPT_MS = 3_600_000;

export interface PackageSource {
  readonly name: string;
  /** All that the package is made of, and by. */
  readonly inputs: readonly string[];
  /** Makes the folder that is published. */
  readonly build: (folder: string) => void;
}

export interface Packed {
  /** As a release has it. */
  readonly tarball: string;
  /** The same unpacked. */
  readonly unpacked: string;
}

/**
 * A package, built once for all test files, of which several ask at once: one builds, and the others wait. A folder is named after
 * what it was made from, and appears only when it is whole.
 */
export function packedOnce({ name, inputs, build }: PackageSource): Packed {
  const cache = join(CACHE, `waybill-${name}`);
  mkdirSync(cache, { recursive: true });
  const folder = join(cache, hashOf(inputs));
  if (!existsSync(folder)) {
    using _ = turnAt(`${cache}.lock`);
    if (!existsSync(folder)) {
      removeOldBuilds(cache);
      const made = mkdtempSync(join(cache, 'building-'));
      pack(made, name, build);
      renameSync(made, folder);
    }
  }
  return { tarball: join(folder, `${name}.tgz`), unpacked: join(folder, 'package') };
}

function hashOf(inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...inputs, 'scripts/release/pack.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .toSorted()) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

function pack(folder: string, name: string, build: PackageSource['build']): void {
  build(join(folder, 'dist'));
  packFolder(join(folder, 'dist'), join(folder, `${name}.tgz`), new Date(0));
  execFileSync('tar', ['-xzf', `${name}.tgz`], { cwd: folder, stdio: 'pipe' });
  rmSync(join(folder, 'dist'), { recursive: true });
}

/** Held by one process at a time, and by none that has died: SQLite locks a file so. */
function turnAt(file: string): DatabaseSync {
  const lock = new DatabaseSync(file, { timeout: MAX_BUILD_MS });
  lock.exec('BEGIN EXCLUSIVE');
  return lock;
}

function removeOldBuilds(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
