import { spawn } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { CertifyError } from '../../certify/certify-error.ts';
import type { Trigger } from '../../certify-sender/trial.ts';

/** A command that hangs would hold up the whole run. */
const LONGEST_MS = 30_000;
/** Characters that are kept of its error output: a stack stands behind its message. */
const SAID_LENGTH = 4_000;

/** Runs a shell command for each event, with what is known of the event in the place of {url}, {mark} and {number}. */
export function shellTrigger(command: string): Trigger {
  let turn: Promise<unknown> = Promise.resolve();
  return async (asked) => {
    // To start a process takes this one some milliseconds: what comes meanwhile is seen between two of them.
    turn = turn.then(() => setImmediate());
    await turn;
    const line = command.replaceAll(/\{(url|mark|number)\}/g, (_whole, name: 'url' | 'mark' | 'number') =>
      String(asked[name]),
    );
    const child = spawn(line, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_LENGTH);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    const ended = await new Promise<string>((resolve) => {
      child.once('error', ({ message }) => resolve(message));
      child.once('close', (code, signal) => resolve(code === 0 ? '' : `it ended with ${signal ?? `code ${code}`}`));
    });
    clearTimeout(timer);
    const reason = reasonIn(said);
    if (ended !== '') throw new CertifyError(`The trigger failed: ${ended}${reason === '' ? '' : ` (${reason})`}`);
  };
}

/** The line that names an error, else the last: Node writes its version behind a stack. */
function reasonIn(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').trim();
}
