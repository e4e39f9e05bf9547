/**
 * `npm run generate` writes generated/ anew, and the pages of docs/results/; with `--check` it writes nothing and fails
 * when something of it is stale.
 */
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, textOf, writeOutputs } from './generate/outputs.ts';
import { stalePages, writePages } from './results/pages.ts';

const GENERATED = join(ROOT, 'generated');

if (process.argv.includes('--check')) await check();
else await generate();

async function generate(): Promise<void> {
  await withFreshOutputs((fresh) => {
    // Replaced only once everything was written, so that a document with a mistake leaves generated/ as it was.
    rmSync(GENERATED, { recursive: true, force: true });
    renameSync(fresh, GENERATED);
    chmodSync(GENERATED, 0o755);
  });
  writePages();
  console.log(`generated/ written: ${filesOf(GENERATED).join(', ')}; and the pages of docs/results/`);
}

async function check(): Promise<void> {
  await withFreshOutputs((fresh) => {
    const names = new Set([...filesOf(fresh), ...filesOf(GENERATED)]);
    const old = [...names].filter((name) => textOf(join(fresh, name)) !== textOf(join(GENERATED, name)));
    const stale = [...old.map((name) => `generated/${name}`), ...stalePages()];
    if (stale.length === 0) return console.log(`generated/ is fresh (${names.size} files), and so is docs/results/`);
    console.error(`stale: ${stale.join(', ')}\nRun: npm run generate`);
    process.exitCode = 1;
  });
}

async function withFreshOutputs(use: (folder: string) => void): Promise<void> {
  const fresh = mkdtempSync(join(ROOT, 'node_modules', '.generated-'));
  try {
    await writeOutputs(fresh);
    use(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}
