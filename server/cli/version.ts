import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };

/** What a package knows of itself. In a clone no commit is written down. */
interface Stamp {
  readonly version: string;
  readonly commit?: string;
}

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

/** What `waybill --version` prints. */
export function versionLine({ version, commit }: Stamp = manifest, folder = SOURCES): string {
  return `${version} (${commit ?? commitIn(folder) ?? 'commit unknown: the package was built without it, or Git is missing'})`;
}

/** The commit of a clone, with `-dirty` where files were changed since. Undefined where the folder is no clone, or Git is missing. */
export function commitIn(folder: string): string | undefined {
  // A folder within somebody else's clone would have the commit of that.
  if (!existsSync(join(folder, '.git'))) return undefined;
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
