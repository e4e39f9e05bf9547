import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completeDeclarations } from './declarations.ts';
import { publishedManifest, type SourceManifest } from './manifest.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = join(ROOT, 'client');

/**
 * Builds the client into a folder that can be packed and published as it is. What was in the folder before is removed.
 * Throws with the compiler's own words when the sources do not compile for Node 20.
 */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(folder);
  completeDeclarations(folder, ROOT);
  const source: SourceManifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(source), null, 2)}\n`);
  copyFileSync(join(CLIENT, 'README.md'), join(folder, 'README.md'));
  for (const file of ['CHANGELOG.md', 'LICENSE']) copyFileSync(join(ROOT, file), join(folder, file));
  cpSync(join(ROOT, 'docs/client'), join(folder, 'docs'), { recursive: true });
}

function compile(folder: string): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = [compiler, '-p', join(CLIENT, 'tsconfig.build.json'), '--outDir', folder];
  try {
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`The client does not compile:\n${said}`, { cause: error });
  }
}
