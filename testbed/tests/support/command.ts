import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../command-line/receiver.ts', import.meta.url));

export interface Command extends AsyncDisposable {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the match when the output holds it. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly exit: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Hangs up on its output, as `head` does. */
  readonly closeOutput: () => void;
}

/** The receiver as a process of its own, started as the command does. */
export function runReceiver(...flags: readonly string[]): Command {
  const child = spawn(process.execPath, [COMMAND, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const look of watchers) look();
    });
  }
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exit,
    kill: (signal) => void child.kill(signal),
    closeOutput: () => void child.stdout.destroy(),
    async until(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output.stdout);
          if (found === null) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
        void exit.then((code) =>
          reject(new Error(`It ended with ${code} before ${pattern}: ${output.stdout}${output.stderr}`)),
        );
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

export async function urlOf(command: Command): Promise<string> {
  const [url] = await command.until(/http:\/\/127\.0\.0\.1:\d+/);
  return url;
}
