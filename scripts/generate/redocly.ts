import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.ts';

export interface RedoclyResult {
  readonly passed: boolean;
  /** All that it printed. */
  readonly text: string;
}

/** Runs the Redocly command line of this project, which then reads redocly.yaml, and reports to nobody. */
export function runRedocly(args: readonly string[]): RedoclyResult {
  const command = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  });
  return { passed: status === 0, text: `${stdout}${stderr}` };
}

/** The same for what must not fail; throws with the tool's own words. */
export function redocly(args: readonly string[]): void {
  const { passed, text } = runRedocly(args);
  if (!passed) throw new Error(`redocly ${args.join(' ')} failed:\n${text}`);
}
