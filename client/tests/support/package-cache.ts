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
import { fileURLToPath } from 'node:url';
import { buildClient } from '../../../scripts/build-client/build.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const CACHE = join(ROOT, 'node_modules/.cache/waybill-client');

/** All that the package is made of, and by. */
const INPUTS = [
  'client/*.{ts,json,md}',
  'client/{analytics,config,webhooks}/**/*.ts',
  'docs/client/*.md',
  'generated/*.d.ts',
  'generated/runtime/valibot.gen.ts',
  'scripts/build-client/*.ts',
  'tsconfig.json',
];

/** Builds of sources that were changed since are kept for this long: another run may still read them. */
const KEPT_MS = 3_600_000;

/**
 * The tarball of the client as npm would publish it, and the same unpacked, as `package/`. Built once for all test files:
 * a folder is named after what it was made from, and appears only when it is whole.
 */
export function packedClient(): { readonly tarball: string; readonly unpacked: string } {
  mkdirSync(CACHE, { recursive: true });
  const folder = join(CACHE, inputsHash());
  if (!existsSync(folder)) {
    removeOldBuilds();
    const made = mkdtempSync(join(CACHE, 'building-'));
    pack(made);
    publish(made, folder);
  }
  return { tarball: join(folder, 'client.tgz'), unpacked: join(folder, 'package') };
}

function inputsHash(): string {
  const hash = createHash('sha256');
  for (const file of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted()) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

function pack(folder: string): void {
  buildClient(join(folder, 'dist'));
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  const file = execFileSync('npm', ['pack', './dist', '--offline', '--ignore-scripts', '--silent'], options).trim();
  renameSync(join(folder, file), join(folder, 'client.tgz'));
  execFileSync('tar', ['-xzf', 'client.tgz'], options);
  rmSync(join(folder, 'dist'), { recursive: true });
}

/** Another process may have built the same meanwhile; then that one is as good. */
function publish(made: string, folder: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeOldBuilds(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
