import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../generate/outputs.ts';

export interface StepResult {
  readonly passed: boolean;
  readonly startedAt: number;
}

/** Runs one command of the check with its output passed through, and says how it ended and how long it took. */
export async function runStep(title: string, [command = '', ...args]: readonly string[]): Promise<StepResult> {
  const startedAt = Date.now();
  console.log(`\n— ${title}`);
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
  const passed = await Promise.race([
    once(child, 'close').then(() => child.exitCode === 0),
    once(child, 'error').then(() => false),
  ]);
  console.log(`${passed ? '✓' : '✗'} ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  return { passed, startedAt };
}
