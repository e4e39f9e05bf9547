import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  writePages(folder);
}

/** Its pages, of those in `docs/`; what they lead to beside them is not in the package, and no link there. */
function writePages(folder: string): void {
  mkdirSync(join(folder, 'docs'));
  for (const page of globSync('*.md', { cwd: join(ROOT, 'docs/client') })) {
    const text = readFileSync(join(ROOT, 'docs/client', page), 'utf8');
    writeFileSync(join(folder, 'docs', page), text.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1'));
  }
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
