import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { safeText } from '../server/safe-text.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process. */
export const processTerminal: Terminal = {
  print: (words) => void process.stdout.write(`${safeText(words)}\n`),
  say: (words) => void process.stderr.write(`${safeText(words)}\n`),
  read: () => text(process.stdin),
  async confirm(question) {
    if (!process.stdin.isTTY) return false;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  },
  env: process.env,
};

/** Whoever reads may hang up, as `head` does; there is still an exit code. */
export function outliveOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
