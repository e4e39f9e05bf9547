import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from './bare-environment.ts';

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

/** Flags without their dashes: `{ port: '0', 'data-dir': '/tmp/x' }`. */
export type Flags = Readonly<Record<string, string>>;

/** The router as a process of its own, as an operator runs it. */
export interface RouterProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process has ended, however it did. */
  readonly ended: Promise<unknown>;
  /** All that it has written so far. */
  readonly written: { readonly stdout: string; readonly stderr: string };
  /** The end of the process without a warning, as at a power cut. */
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
}

/** How it is started, where that is not how an operator does. */
export interface Spawning {
  /** A file that takes the flags of the router, and more. */
  readonly entry?: string;
  /** Nothing else of the environment reaches it. */
  readonly env?: NodeJS.ProcessEnv;
  /** What runs Node: `['sh', '-c', 'ulimit …; exec "$0" "$@"']`. */
  readonly through?: readonly string[];
}

/** Starts the router and waits until it listens; rejects with what it wrote when it ends instead. */
export async function startRouterProcess(flags: Flags, spawning: Spawning = {}): Promise<RouterProcess> {
  const child = spawnRouter(flags, spawning);
  const exited = once(child, 'exit');
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString('utf8')));
  const url = await Promise.race([listening(child), exited.then(() => undefined)]);
  if (url === undefined) throw new RouterEnded(child, written.stderr);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    url,
    pid: child.pid ?? 0,
    ended: exited,
    written,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}

/** Runs the router until it ends by itself, as it does when it cannot start; answers its code and what it wrote. */
export async function runRouterProcess(
  flags: Flags,
  env: NodeJS.ProcessEnv = {},
  spawning: Spawning = {},
): Promise<{ code: number | null; stderr: string }> {
  const child = spawnRouter(flags, { ...spawning, env });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdout?.resume();
  await once(child, 'close');
  return { code: child.exitCode, stderr };
}

/** The router ended instead of listening. */
export class RouterEnded extends Error {
  override readonly name = 'RouterEnded';
  /** Set when a signal ended it. */
  readonly signal: NodeJS.Signals | null;

  constructor({ exitCode, signalCode }: ChildProcess, stderr: string) {
    super(`the router ended with ${signalCode ?? `code ${exitCode}`}: ${stderr.trim()}`);
    this.signal = signalCode;
  }
}

function spawnRouter(flags: Flags, { entry = MAIN, env = {}, through = [] }: Spawning): ChildProcess {
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const [command = '', ...rest] = [...through, process.execPath, entry, ...args];
  return spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: bareEnvironment(env),
  });
}

/** The URL of the `listening` line of its log. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.includes('"listening"')) return;
      const { url }: { url: string } = JSON.parse(line);
      resolve(url);
    });
  });
}
