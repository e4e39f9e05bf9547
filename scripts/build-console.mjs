// Plain JavaScript for the machine's own Node, as set-up.mjs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Folders that Vite builds, with what else goes into them. */
const PAGES = [
  { title: 'console', folder: 'console', sources: ['console', 'client/config'], leaves: ['receiver'] },
  {
    title: 'page of the receiver',
    folder: 'console/receiver',
    sources: [
      'console/receiver',
      ...['live', 'shell', 'styles', 'ui'].map((part) => `console/src/${part}`),
      'client/config',
    ],
    leaves: [],
  },
];

export const PAGE_FOLDERS = PAGES.map(({ folder }) => folder);

/** Builds the console, and the page of the receiver, where their sources have changed since. Whatever fails here, the rest of the project works without it. */
export function buildConsole() {
  for (const page of PAGES) buildPage(page);
}

function buildPage({ title, folder, sources, leaves }) {
  const stamp = join(ROOT, `node_modules/.waybill-${folder.replace('/', '-')}`);
  const wanted = digestOf(sources, leaves);
  const isBuilt = existsSync(join(ROOT, folder, 'dist/index.html')) && existsSync(stamp);
  if (isBuilt && readFileSync(stamp, 'utf8') === wanted) return;
  console.error(`Building the ${title} (a few seconds, after changes) …`);
  const args = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', folder, '--logLevel', 'warn'];
  // Whatever stands in the environment, what is built is for users. What Vite prints is no output of the command that was asked for.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: ROOT, env, stdio: ['ignore', 2, 2] };
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin/node'), args, options);
  if (status === 0) writeFileSync(stamp, wanted);
  else console.error(`The ${title} was not built; its errors are above. Everything else works without it.`);
}

/** Of all that goes into it. */
function digestOf(sources, leaves) {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const folder of sources) {
    for (const file of filesBelow(folder, leaves)) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

function filesBelow(folder, leaves) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['dist', 'mock', 'tests', 'node_modules', ...leaves].includes(entry.name) ? [] : filesBelow(path, leaves);
    return [path];
  });
}
