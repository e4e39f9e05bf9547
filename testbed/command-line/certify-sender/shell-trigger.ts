import { spawn } from 'node:child_process';
import { CertifyError } from '../../certify/certify-error.ts';
import type { Trigger } from '../../certify-sender/trial.ts';

/** A command that hangs would hold up the whole run. */
const LONGEST_MS = 30_000;

/** Runs a shell command for each event, with what is known of the event in the place of {url}, {mark} and {number}. */
export function shellTrigger(command: string): Trigger {
  return async (asked) => {
    const line = command.replaceAll(/\{(url|mark|number)\}/g, (_whole, name: 'url' | 'mark' | 'number') =>
      String(asked[name]),
    );
    const child = spawn(line, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-500);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    const ended = await new Promise<string>((resolve) => {
      child.once('error', ({ message }) => resolve(message));
      child.once('close', (code, signal) => resolve(code === 0 ? '' : `it ended with ${signal ?? `code ${code}`}`));
    });
    clearTimeout(timer);
    const last = said.trim().split('\n').at(-1) ?? '';
    if (ended !== '') throw new CertifyError(`The trigger failed: ${ended}${last === '' ? '' : ` (${last})`}`);
  };
}
