import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packedClient } from './packed-client.ts';
import { ROOT } from './packed-once.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** How a process ended, and what it wrote. */
export interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** A process that goes on until its input ends, or by itself. */
export interface Running {
  readonly ended: Promise<Run>;
  endInput(input?: string): void;
  /** Resolves once it has written this line. */
  printed(line: string): Promise<void>;
}

/** A folder outside of the workspace, into which the tarball was installed. It is removed in the end. */
export interface Consumer extends Disposable {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  start(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Running;
  /** Starts it, gives it the input, and waits for its end. */
  run(command: string, args: readonly string[], given?: { input?: string; env?: NodeJS.ProcessEnv }): Promise<Run>;
  /** Compiles all files with these compiler options, as strictly as it goes; gives what the compiler complains of. */
  typeCheck(options: Readonly<Record<string, unknown>>, files: readonly string[]): Promise<string>;
}

/**
 * An empty folder after `npm install <tarball>`, without a network: the tarball, and the packages that its manifest names,
 * from this workspace's own. Nothing else can be imported in it.
 */
export function newConsumer(...extraPackages: readonly string[]): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-consumer-'));
  install(packedClient().unpacked, '@waybill/client', folder);
  for (const name of extraPackages) install(join(ROOT, 'node_modules', name), name, folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  const children = new Set<ChildProcess>();
  const start: Consumer['start'] = (command, args, env) => startIn(folder, command, args, env, children);
  const run: Consumer['run'] = (command, args, { input, env } = {}) => {
    const running = start(command, args, env);
    running.endInput(input);
    return running.ended;
  };
  return {
    folder,
    start,
    run,
    write(files) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    },
    async typeCheck(options, files) {
      const compilerOptions = {
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        ...options,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const { output } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
      return output;
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With all that it depends on, as npm would; a package is copied once. */
function install(from: string, name: string, folder: string): void {
  const to = join(folder, 'node_modules', name);
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
  const { dependencies = {} }: Manifest = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'));
  for (const each of Object.keys(dependencies)) install(join(ROOT, 'node_modules', each), each, folder);
}

function startIn(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  children: Set<ChildProcess>,
): Running {
  const child = spawn(command, args, { cwd, stdio: 'pipe', env: bareEnvironment(env) });
  children.add(child);
  const ended = once(child, 'close').then(() => {
    children.delete(child);
    return { code: child.exitCode, output };
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    ended,
    endInput: (input) => void child.stdin.end(input),
    async printed(line) {
      while (!output.split('\n').includes(line)) {
        if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended without printing "${line}": ${output}`);
        await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
      }
    },
  };
}

/** The Node that the machine has of its own, which is older than the project's; the project's where there is no other. */
export function machineNode(): string {
  const own = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return own.map((folder) => join(folder, 'node')).find((path) => existsSync(path)) ?? process.execPath;
}
