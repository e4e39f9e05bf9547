// `node scripts/run.mjs <file> [arguments]`: sets a fresh clone up, then runs the file with the project's own Node. Every
// script of package.json begins here. Plain JavaScript for the machine's own Node (20 or newer).
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, setUp } from './set-up.mjs';

const TOOLS = join(ROOT, 'node_modules/.bin');

/** All else is for developers, and needs what they work with. */
const FOR_USERS = /^(server|cli|testbed)\/|^scripts\/demo(-cluster)?\.ts$/;

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/run.mjs <file> [arguments]');
  process.exit(2);
}
const isNew = setUp({ withTools: !FOR_USERS.test(file) });
// As npm does; what the file starts is the project's too.
process.env.PATH = [TOOLS, process.env.PATH].join(delimiter);
const node = realpathSync(join(TOOLS, 'node'));
if (!isNew && realpathSync(process.execPath) === node) await runHere(resolve(ROOT, file));
else runWithOwnNode(resolve(ROOT, file));

/** In this process, so that signals and the exit code are the file's own. */
async function runHere(entry) {
  process.argv = [node, entry, ...args];
  if (FOR_USERS.test(file)) await import('./compile-cache.mjs');
  await import(pathToFileURL(entry).href);
}

/** After a set-up: the Node that runs is the machine's, or an earlier one of the project. */
function runWithOwnNode(entry) {
  const child = spawn(node, [entry, ...args], { stdio: 'inherit' });
  // Ctrl-C reaches both processes, and the file decides when to end.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
