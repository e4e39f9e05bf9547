// Plain JavaScript for the machine's own Node (20 or newer), since the Node that Waybill needs comes with the packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Has the hash of the package-lock.json that was installed, and these words behind it when that was a part. */
const STAMP = join(ROOT, 'node_modules/.waybill-set-up');
const WITHOUT_TOOLS = 'without-tools';

/**
 * Installs the packages of a fresh clone, and again when package-lock.json has changed; builds the console. Without the tools of
 * developers it is a fifth of the packages, and what users start needs no more. Answers whether it installed.
 */
export function setUp({ withTools }) {
  const isNew = installPackages(withTools);
  buildConsole();
  return isNew;
}

function installPackages(wantsTools) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const [installed, without] = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split(' ') : [undefined, WITHOUT_TOOLS];
  const hasTools = without === undefined;
  const isThere = existsSync(join(ROOT, 'node_modules/.bin/node')) && installed === wanted;
  if (isThere && (hasTools || !wantsTools)) return false;
  // Whoever has the tools keeps them.
  const withTools = wantsTools || hasTools;
  console.error(
    `Setting Waybill up: installing the packages that ${withTools ? 'its development' : 'it'} needs (once) …`,
  );
  runNpm(['ci', withTools ? '--include=dev' : '--omit=dev', '--no-fund', '--no-audit', '--loglevel=error']);
  writeFileSync(STAMP, withTools ? wanted : `${wanted} ${WITHOUT_TOOLS}`);
  return true;
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const { status } = spawnSync(command, [...first, ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status === 0) return;
  console.error(
    'Set-up failed: npm ci did not succeed; its output is above. Correct the cause and run the command again.',
  );
  process.exit(1);
}
