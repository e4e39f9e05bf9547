import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const PROGRAMS = fileURLToPath(new URL('analytics-programs/', import.meta.url));

/** How a program ended, and what it printed. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

export interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once the program has printed this line. */
  printed(line: string): Promise<void>;
}

/** Runs a program of `analytics-programs/` in a process of its own; `within` is a command that runs the one behind it. */
export function runProgram(name: string, args: readonly string[] = [], within: readonly string[] = []): Program {
  const [command = '', ...all] = [...within, process.execPath, `${PROGRAMS}${name}`, ...args];
  const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    ended: once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, output })),
    printed: async (line) => {
      while (!output.split('\n').includes(line)) {
        if (child.exitCode !== null) throw new Error(`${name} ended without printing "${line}": ${output}`);
        await once(child.stdout, 'data');
      }
    },
  };
}
