import { isatty } from 'node:tty';
import pc from 'picocolors';
import type { Style } from './human-report.ts';

/** A file has no width; this is what most windows can show. */
const PLAIN_WIDTH = 140;

/** How the standard output is written for people. */
export function terminalStyle(): Style {
  const { stdout } = process;
  return {
    colors: pc.createColors(isatty(stdout.fd) && pc.isColorSupported),
    // Some terminals do not know their width, and say 0.
    width: () => (stdout.isTTY && stdout.columns > 0 ? stdout.columns : PLAIN_WIDTH),
  };
}

/** Waits for a signal, or until nobody reads the output any more; answers what else was wrong with the output. */
export async function toldToEnd(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(undefined));
    process.once('SIGTERM', () => resolve(undefined));
    process.stdout.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EPIPE' ? undefined : error));
  });
}

/**
 * Whoever reads the output may hang up, as `head` does: what is written from then on is lost, and the work goes on, since
 * there may be files to write, and there is an exit code.
 */
export function outliveOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(complain(`Cannot write the output: ${error.message}`, 1));
  });
}

export function say(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

export function complain(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}
