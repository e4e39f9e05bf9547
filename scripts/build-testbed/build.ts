import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { completeDeclarations } from '../build-client/declarations.ts';
import { ROOT } from '../generate/root.ts';
import { commandsOf, type Manifest, OLDEST_PEERS, oldestNode, publishedManifest } from './manifest.ts';

/**
 * Builds the testbed into a folder that can be packed and published as it is: Node runs no TypeScript below
 * `node_modules`. The delivery engine and the parts of the client that it needs come along, compiled. What was in the
 * folder before is removed. Throws with the compiler's own words when the sources do not compile, and
 * when the page of the receiver is not built.
 */
export function buildTestbed(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(folder);
  completeDeclarations(folder, ROOT);
  // Read when the control API starts, and not imported.
  for (const file of globSync('generated/receiver-control.json', { cwd: ROOT }))
    copyFileSync(join(ROOT, file), join(folder, file));
  copyPage(folder);
  const own = manifestIn('testbed');
  const manifests = [own, ...['client', 'server', '.'].map((place) => manifestIn(place))];
  const oldest = manifestIn(OLDEST_PEERS);
  writeCommands(folder, own, oldestNode(oldest));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifests, oldest), null, 2)}\n`);
  writePages(folder);
  for (const file of ['CHANGELOG.md', 'LICENSE']) copyFileSync(join(ROOT, file), join(folder, file));
}

function compile(folder: string): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = [compiler, '-p', join(ROOT, 'testbed/tsconfig.build.json'), '--outDir', folder];
  try {
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`The testbed does not compile:\n${said}`, { cause: error });
  }
}

/** What `waybill-receiver` shows in a browser, where its code looks for it. */
function copyPage(folder: string): void {
  const page = 'console/receiver/dist';
  if (!existsSync(join(ROOT, page, 'index.html')))
    throw new Error(`${page} is missing: run npm run build receiver first`);
  cpSync(join(ROOT, page), join(folder, page), { recursive: true });
}

/** Its pages, of those in `docs/`, with their place in the package. The first is the README there. */
const PAGES = {
  'testbed.md': 'README.md',
  'receiver.md': 'docs/receiver.md',
  'certify.md': 'docs/certify.md',
  'results/testbed.md': 'docs/faults.md',
} as const;

/** What the pages lead to, and what has another place in the package, or none. */
const ELSEWHERE: readonly (readonly [from: string, to: string])[] = [
  ['[its README](../README.md)', 'its README'],
  ['[Signatures](signatures.md)', 'hex HMAC-SHA-1 of the body, or as Standard Webhooks'],
  ['[Standard Webhooks](signatures.md)', 'Standard Webhooks'],
  ['[secret is rotated](signatures.md#rotating-a-secret)', 'secret is rotated'],
  ['[notices](notices.md)', 'notices'],
  ['[Tried](results/peers.md)', 'Tried'],
  ['[Each scheme agrees](results/schemes.md)', 'Each scheme agrees'],
  [' ([how long all of it takes](results/first-steps.md))', ''],
  [
    '[`openapi/receiver-control.v1.yaml`](../openapi/receiver-control.v1.yaml)',
    '[A document](../generated/receiver-control.json)',
  ],
  ['](results/testbed.md', '](docs/faults.md'],
  ['](receiver.md', '](docs/receiver.md'],
  ['](certify.md', '](docs/certify.md'],
  ['](testbed.md', '](../README.md'],
  ['](../testbed.md', '](../README.md'],
  ['node testbed/examples/', 'node node_modules/@waybill/testbed/testbed/examples/'],
  ['npm run receiver --', 'npx waybill-receiver'],
  ['npm run certify --', 'npx waybill-certify'],
  ['`npm run receiver`', '`npx waybill-receiver`'],
  ['`npm run certify`', '`npx waybill-certify`'],
];

/** Pages for people, as they are in the package: what is not there is no link, and commands are those of the package. */
function writePages(folder: string): void {
  mkdirSync(join(folder, 'docs'));
  for (const [page, place] of Object.entries(PAGES)) {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
    const examples = relative(dirname(place), 'testbed/examples');
    const moved = [...ELSEWHERE, ['](../testbed/examples/', `](${examples}/`] as const];
    writeFileSync(
      join(folder, place),
      moved.reduce((written, [from, to]) => written.replaceAll(from, to), text),
    );
  }
  cpSync(join(ROOT, 'testbed/examples'), join(folder, 'testbed/examples'), { recursive: true });
}

/** An older Node would stop at a word that it does not know, somewhere inside of a dependency. */
function onlyFrom(oldest: string): string {
  const [major, minor] = oldest.split('.');
  return `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  console.error('@waybill/testbed needs Node ${oldest} or newer, and this is ' + process.versions.node + '. A Node for one project: npm install --save-dev node');
  process.exit(1);
}
`;
}

function writeCommands(folder: string, own: Manifest, oldest: string): void {
  mkdirSync(join(folder, 'bin'));
  for (const [name, script] of commandsOf(own)) {
    const file = join(folder, `bin/${name}.js`);
    writeFileSync(file, `#!/usr/bin/env node\n${onlyFrom(oldest)}await import('../${script}');\n`);
    chmodSync(file, 0o755);
  }
}

function manifestIn(place: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8'));
  return manifest;
}
