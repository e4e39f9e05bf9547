import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../generate/root.ts';

/** Another state of this repository in a folder of its own, until it is disposed of. */
export interface Checkout extends Disposable {
  readonly folder: string;
  /** Its commit, in short. */
  readonly commit: string;
}

/** Throws an error that names the reference, where git knows none of that name. */
export function checkOut(reference: string): Checkout {
  const commit = commitOf(reference);
  const folder = mkdtempSync(join(tmpdir(), 'waybill-against-'));
  git('worktree', 'add', '--quiet', '--detach', '--force', folder, commit);
  return {
    folder,
    commit,
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
      git('worktree', 'prune');
    },
  };
}

function commitOf(reference: string): string {
  try {
    return git('rev-parse', '--short', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`);
  } catch (error) {
    throw new RangeError(`--against ${reference}: git knows no such commit; see git log`, { cause: error });
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
