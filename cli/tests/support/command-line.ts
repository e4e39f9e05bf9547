import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../program.ts';
import type { Terminal } from '../../terminal.ts';

/** How a command line ended. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  (...args: readonly string[]): Promise<Ended>;
}

interface Options {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** What a person answers; without it nobody is there. */
  readonly answer?: boolean | (() => Promise<boolean>);
  /** Gets what is printed while the command runs. */
  readonly printed?: string[];
  /** After so many prints whoever reads has hung up. */
  readonly readPrints?: number;
}

/** Runs `waybill` in this process. The folder of its settings is empty. */
function commandLine({
  env = {},
  stdin = '',
  answer = false,
  printed = [],
  readPrints = Infinity,
}: Options = {}): CommandLine {
  const home = { HOME: mkdtempSync(join(tmpdir(), 'waybill-home-')) };
  return async (...args) => {
    const [stdout, stderr]: [string[], string[]] = [[], []];
    const terminal: Terminal = {
      print: (text) => {
        stdout.push(`${text}\n`);
        printed.push(`${text}\n`);
      },
      isRead: () => printed.length < readPrints,
      say: (text) => void stderr.push(`${text}\n`),
      read: async () => stdin,
      confirm: async () => (typeof answer === 'function' ? answer() : answer),
      env: { ...home, ...env },
    };
    const status = await run(args, terminal);
    return { status, stdout: stdout.join(''), stderr: stderr.join('') };
  };
}

/** A command line of somebody who is connected. */
export function connectedTo(url: string, token: string, options: Options = {}): CommandLine {
  return commandLine({ ...options, env: { WAYBILL_URL: url, WAYBILL_TOKEN: token, ...options.env } });
}

/** The objects of an output for programs. */
export function objectsIn(output: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
