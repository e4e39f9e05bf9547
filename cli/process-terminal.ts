import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { safeText } from '../server/safe-text.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process. It outlives whoever reads it, as what is under way has an end and an exit code. */
export function openTerminal(): Terminal {
  let isRead = true;
  let problem: string | undefined;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    isRead = false;
    if (code !== 'EPIPE') problem ??= message;
  });
  // Both may be one pipe, and what is said is no reason to stop; there is nowhere left to say so.
  process.stderr.on('error', () => {});
  return {
    print: (words) => void process.stdout.write(`${safeText(words)}\n`),
    isRead: () => isRead,
    // What was just printed fails in the next turn.
    lost: () => new Promise((resolve) => void setImmediate(() => resolve(problem))),
    say: (words) => void process.stderr.write(`${safeText(words)}\n`),
    read: () => text(process.stdin),
    confirm,
    env: process.env,
  };
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
