import { chmodSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'tar';

interface Published {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The name that npm gives the tarball of a package. */
export function tarballName({ name, version }: Published): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
}

function publishedIn(folder: string): Published {
  const manifest: Published = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return manifest;
}

/**
 * Packs a built folder as npm does, but always into the same bytes: npm keeps what the umask left of a mode, and its own
 * version decides the rest. All files get the time of `at`.
 */
export function packFolder(folder: string, tarball: string, at: Date): void {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
  const programs = new Set(Object.values(publishedIn(folder).bin ?? {}));
  for (const file of files) chmodSync(join(folder, file), programs.has(file) ? 0o755 : 0o644);
  const same = { portable: true, noDirRecurse: true, mtime: at, gzip: { level: 9 } } as const;
  create({ sync: true, file: tarball, cwd: folder, prefix: 'package', ...same }, files);
}
