import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ROOT } from '../generate/outputs.ts';

export interface StepResult {
  readonly title: string;
  readonly passed: boolean;
  readonly startedAt: number;
}

export interface Step {
  readonly title: string;
  readonly command: readonly string[];
  /** Beside what this process has. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command of the check with its output passed through, and says how it ended and how long it took. */
export async function runStep({ title, command, environment }: Step): Promise<StepResult> {
  const startedAt = Date.now();
  console.log(`\n— ${title}`);
  const passed = await succeeds(spawnIn(command, 'inherit', environment));
  console.log(endOf(title, passed, startedAt));
  return { title, passed, startedAt };
}

/** Runs one command after the other, beside others: what each wrote is shown in one piece once it has ended. */
export async function runInTurn(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const { title, command } of steps) {
    const startedAt = Date.now();
    const child = spawnIn(command, 'pipe');
    const [passed, ...written] = await Promise.all([succeeds(child), textOf(child.stdout), textOf(child.stderr)]);
    console.log(`\n— ${title}\n${written.join('')}${endOf(title, passed, startedAt)}`);
    results.push({ title, passed, startedAt });
  }
  return results;
}

function spawnIn(
  [command = '', ...args]: readonly string[],
  output: 'inherit' | 'pipe',
  more: Step['environment'] = {},
) {
  return spawn(command, args, { cwd: ROOT, stdio: ['inherit', output, output], env: { ...process.env, ...more } });
}

function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}

/** Also false when the command cannot be started. */
function succeeds(child: ReturnType<typeof spawnIn>): Promise<boolean> {
  return once(child, 'close').then(
    () => child.exitCode === 0,
    (error: unknown) => {
      console.error(String(error));
      return false;
    },
  );
}

function endOf(title: string, passed: boolean, startedAt: number): string {
  return `${passed ? '✓' : '✗'} ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`;
}
