// Plain JavaScript for the machine's own Node (20 or newer), since the Node that Waybill needs comes with the packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'node_modules/.waybill-set-up');

/** Installs the packages of a fresh clone, and again when package-lock.json has changed; builds the console. Answers whether it installed. */
export function setUp() {
  const isNew = installPackages();
  buildConsole();
  return isNew;
}

function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (isSetUp(wanted)) return false;
  console.error('Setting Waybill up: installing the packages that package-lock.json names (about a minute, once) …');
  const npm = process.env.npm_execpath;
  // Also where NODE_ENV is production: the Node that Waybill runs on is among them.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const { status } =
    npm === undefined
      ? spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit' })
      : spawnSync(process.execPath, [npm, ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) {
    console.error(
      'Set-up failed: npm ci did not succeed; its output is above. Correct the cause and run the command again.',
    );
    process.exit(1);
  }
  writeFileSync(STAMP, wanted);
  return true;
}

function isSetUp(wanted) {
  return (
    existsSync(join(ROOT, 'node_modules/.bin/node')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted
  );
}
