import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { completeDeclarations } from '../build-client/declarations.ts';
import { commitIn } from '../../server/cli/version.ts';
import { ROOT } from '../generate/root.ts';
import { type Manifest, OLDEST_NODE, publishedManifest } from './manifest.ts';

/** Read when they are needed, and not imported. */
const READ = [
  'generated/config-api.json',
  'generated/ingestion-api.json',
  'generated/waybill.schema.json',
  'generated/docs',
  'console/dist',
];

/** What a team reads that runs it. */
const PAGES = ['cli', 'configuration', 'leaving-segment', 'operating', 'postgresql', 'settings'];

/**
 * Builds the router and its command into a folder that can be packed and published as it is: Node runs no TypeScript
 * below `node_modules`. The console must be built. What was in the folder before is removed. Throws with the compiler's
 * own words when the sources do not compile.
 */
export function buildWaybill(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(folder);
  completeDeclarations(folder, ROOT);
  for (const path of READ) copy(path, folder);
  const parts = ['server', 'client', 'cli'].map((place) => manifestIn(place));
  writeJson(join(folder, 'package.json'), publishedManifest(manifestIn('.'), parts));
  writeVersion(folder);
  writeCommand(folder);
  for (const page of PAGES) copy(`docs/${page}.md`, folder);
  writeFileSync(join(folder, 'README.md'), README);
  for (const file of ['CHANGELOG.md', 'LICENSE']) copyFileSync(join(ROOT, file), join(folder, file));
}

function compile(folder: string): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = [compiler, '-p', join(ROOT, 'cli/tsconfig.build.json'), '--outDir', folder];
  try {
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`The router does not compile:\n${said}`, { cause: error });
  }
}

function copy(path: string, folder: string): void {
  const from = join(ROOT, path);
  if (!existsSync(from)) throw new Error(`${path} is missing: run npm run build console first`);
  cpSync(from, join(folder, path), { recursive: true });
}

/** The manifest that the code reads its version from. An image is built without the history of its sources, and is told the commit. */
function writeVersion(folder: string): void {
  const commit = commitIn(ROOT) ?? (process.env['WAYBILL_COMMIT'] || undefined);
  if (commit === undefined)
    console.error('No commit is in the package: this is no clone. Set WAYBILL_COMMIT to the commit of the sources.');
  const { version } = manifestIn('server');
  writeJson(join(folder, 'server/package.json'), { type: 'module', version, ...(commit !== undefined && { commit }) });
}

/** An older Node would stop at a word that it does not know, somewhere inside. */
function writeCommand(folder: string): void {
  const file = join(folder, 'bin/waybill.js');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    file,
    `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < ${OLDEST_NODE}) {
  console.error('waybill needs Node ${OLDEST_NODE} or newer, and this is ' + process.versions.node + '. A Node for one project: npm install node');
  process.exit(1);
}
await import('../cli/waybill.js');
`,
  );
  chmodSync(file, 0o755);
}

const README = `# Waybill

An open, self-hosted event router that can prove what it delivers. It takes the calls of existing analytics SDKs, stores them durably, and POSTs them, signed, to webhooks, with retries for up to four hours.

\`\`\`sh
npm install waybill
npx waybill serve
\`\`\`

Node ${OLDEST_NODE} or newer. The first start prints an access token; open <http://127.0.0.1:8080> for the console. Data is kept in \`./data\`.

- [Command line](docs/cli.md) and [configuration as code](docs/configuration.md)
- [Operating](docs/operating.md), [settings](docs/settings.md), [PostgreSQL](docs/postgresql.md)
- [Leaving Segment](docs/leaving-segment.md)
`;

function manifestIn(place: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8'));
  return manifest;
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
