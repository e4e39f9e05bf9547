// Plain JavaScript for the machine's own Node, as set-up.mjs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'node_modules/.waybill-console');

/** Builds the console where its sources have changed since. Whatever fails here, the rest of the project works without it. */
export function buildConsole() {
  const wanted = consoleDigest();
  const isBuilt = existsSync(join(ROOT, 'console/dist/index.html')) && existsSync(STAMP);
  if (isBuilt && readFileSync(STAMP, 'utf8') === wanted) return;
  console.error('Building the console (a few seconds, after changes) …');
  const args = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', 'console', '--logLevel', 'warn'];
  // Whatever stands in the environment, what is built is for users. What Vite prints is no output of the command that was asked for.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: ROOT, env, stdio: ['ignore', 2, 2] };
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin/node'), args, options);
  if (status === 0) writeFileSync(STAMP, wanted);
  else console.error('The console was not built; its errors are above. Everything else works without it.');
}

/** Of all that goes into it. */
function consoleDigest() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const folder of ['console', 'client/config']) {
    for (const file of filesBelow(folder)) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['dist', 'mock', 'tests', 'node_modules'].includes(entry.name) ? [] : filesBelow(path);
    return [path];
  });
}
