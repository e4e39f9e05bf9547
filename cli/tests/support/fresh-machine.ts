import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../../../scripts/generate/root.ts';

/** A root with nothing but Node.js, npm and a shell: no clone, no package, no network but this machine's own addresses. */
export interface FreshMachine extends Disposable {
  readonly folder: string;
  /** Its terminal stands in this folder. */
  readonly home: string;
  /** Types commands into a new terminal. */
  start(commands: string, env?: Readonly<Record<string, string>>): ChildProcess;
  /** The same, to their end. */
  run(commands: string, env?: Readonly<Record<string, string>>): Promise<Typed>;
}

export interface Typed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Of the machine that runs the tests: npm itself is a package, and a shell is a file. */
const PROGRAMS = ['sh', 'env'];

export function makeFreshMachine(node: string): FreshMachine {
  const place = mkdtempSync(join(tmpdir(), 'waybill-machine-'));
  const folder = join(place, 'root');
  mkdirSync(join(place, 'no-app'));
  execFileSync('sh', [join(ROOT, 'deploy/image/make-root.sh'), node, join(place, 'no-app'), folder]);
  for (const name of ['dev', 'proc', 'root', 'usr/bin', 'bin']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of PROGRAMS) copyProgram(name, folder);
  copyNpm(folder);
  const script = join(place, 'enter.sh');
  writeFileSync(script, enterScript(folder));
  const start: FreshMachine['start'] = (commands, env = {}) =>
    spawn('unshare', ['--mount', 'sh', script, commands], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Where its programs are, and nothing of who runs the tests.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: '/root', ...env },
    });
  return {
    folder,
    home: join(folder, 'root'),
    start,
    run: (commands, env) => ended(start(commands, env)),
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

function enterScript(folder: string): string {
  return `set -eu
mount --rbind /dev ${folder}/dev
mount -t proc proc ${folder}/proc
exec chroot ${folder} /bin/sh -euc "cd /root; $1"
`;
}

/** With the libraries that it is linked to, at the places where the linker looks for them. */
function copyProgram(name: string, folder: string): void {
  const program = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  cpSync(realpathSync(program), join(folder, name === 'sh' ? 'bin' : 'usr/bin', name));
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/[^ ]+/g) ?? [];
  for (const library of libraries) cpSync(realpathSync(library), join(folder, library));
}

/** Where Node.js comes with it. */
function copyNpm(folder: string): void {
  const command = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  const npm = dirname(dirname(command));
  cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync(`../lib/node_modules/npm/bin/${basename(command)}`, join(folder, 'usr/local/bin/npm'));
}

async function ended(child: ChildProcess): Promise<Typed> {
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString('utf8')));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...written };
}
