/**
 * `npm run release [folder]`: the packages as they are published, a bill of materials (CycloneDX) of each, and the SHA-256 sums of all,
 * in `release/`. Made of a commit, they are the same bytes wherever and whenever they are made.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { PAGE_FOLDERS } from './build-console.mjs';
import { ROOT } from './generate/root.ts';
import { packFolder, tarballName } from './release/pack.ts';
import { billFor, type Manifest, PACKAGES, type PackageKind } from './release/packages.ts';

const target = resolve(process.argv[2] ?? join(ROOT, 'release'));
try {
  const at = commitTime();
  // Whatever stands in the environment, what is built is for users.
  process.env['NODE_ENV'] = 'production';
  for (const folder of PAGE_FOLDERS) await build({ root: join(ROOT, folder), logLevel: 'warn' });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const kind of PACKAGES) release(kind, at);
  const sums = readdirSync(target)
    .toSorted()
    .map((file) => `${sumOf(join(target, file))}  ${file}\n`);
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  process.stdout.write(sums.join(''));
  console.error(`The release is in ${target}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Of the commit that is released. Throws where the sources are not those of a commit. */
function commitTime(): Date {
  const changed = git('status', '--porcelain');
  if (changed !== '')
    throw new Error(
      `A release is made of a commit, and these files were changed: commit or stash them first\n${changed}`,
    );
  const seconds = process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct');
  process.env['SOURCE_DATE_EPOCH'] = seconds;
  return new Date(Number(seconds) * 1_000);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function release(kind: PackageKind, at: Date): void {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-release-'));
  try {
    kind.build(folder);
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const tarball = join(target, tarballName(manifest));
    packFolder(folder, tarball, at);
    writeFileSync(tarball.replace(/tgz$/, 'cdx.json'), billFor(kind, manifest, { sha256: sumOf(tarball), at }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
