import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/outputs.ts';

/** `later` is typed in the shell too, once the deliveries have been looked at. */
export type Terminal = 'router' | 'receiver' | 'shell' | 'later';

/** The commands of the README's walk, by the terminal that they are typed in. */
export function commandsOf(readme: string): Readonly<Record<Terminal, string>> {
  const blocks = [...readme.matchAll(/<!-- walk: (router|receiver|shell|later) -->\n```sh\n([\s\S]*?)```/g)];
  const of = (terminal: Terminal): string =>
    blocks.flatMap(([, name, commands]) => (name === terminal ? [commands ?? ''] : [])).join('\n');
  return { router: of('router'), receiver: of('receiver'), shell: of('shell'), later: of('later') };
}

export function readReadme(): string {
  return readPage('README.md');
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** A terminal in which a command goes on until it is ended. */
export class OpenTerminal {
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  output = '';

  constructor(command: string, env: NodeJS.ProcessEnv) {
    // A group of its own, so that what npm starts ends with it.
    this.#child = spawn('bash', ['-ec', command], {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const take = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
      for (const listener of this.#listeners) listener();
    };
    this.#child.stdout?.on('data', take);
    this.#child.stderr?.on('data', take);
  }

  /** Resolves once the output holds what is wanted, so often. */
  async shows(wanted: RegExp, times = 1): Promise<void> {
    const global = new RegExp(wanted.source, 'g');
    const enough = (): boolean => (this.output.match(global)?.length ?? 0) >= times;
    if (enough()) return;
    await new Promise<void>((resolve, reject) => {
      const listener = (): void => {
        if (!enough()) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
      this.#child.once('exit', () => reject(new Error(`it ended without showing ${wanted}:\n${this.output}`)));
    });
  }

  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    process.kill(-pid, 'SIGTERM');
    await ended;
  }
}

/** Runs commands to their end, each line of them; answers what they wrote. Rejects when one fails. */
export async function runCommands(commands: string, cwd: string): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`the commands ended with code ${child.exitCode}:\n${output}`);
  return output;
}
