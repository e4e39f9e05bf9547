// Sets a fresh clone up before any other script: plain JavaScript for the machine's own Node (20 or newer), since the
// Node that Waybill needs comes with the packages. When nothing has changed since the last time it does nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.waybill-set-up`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');

if (!isSetUp()) setUp();

function isSetUp() {
  return existsSync(`${root}node_modules/.bin/node`) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function setUp() {
  console.error('Setting Waybill up: installing the packages that package-lock.json names (about a minute, once) …');
  const npm = process.env.npm_execpath;
  // Also where NODE_ENV is production: the Node that Waybill runs on is among them.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const result =
    npm === undefined
      ? spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
      : spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) {
    console.error('Set-up failed: `npm ci` did not succeed; its own words stand above. Mend that, and start again.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
