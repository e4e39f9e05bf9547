import { isatty } from 'node:tty';
import pc from 'picocolors';
import { ListenError } from '../receiver/listener.ts';
import { createReceiver } from '../receiver/receiver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { FlagError, readFlags } from './flags.ts';
import type { Flags } from './flags.ts';
import { HELP } from './help.ts';
import { humanReport } from './human-report.ts';
import { jsonReport } from './json-report.ts';
import type { Report } from './report.ts';
import { count, EMPTY_TALLY, holds } from './tally.ts';

/** Requests that stay in memory; the command itself needs none of them. */
const KEPT = 1000;
/** A file has no width; this is what most windows can show. */
const PLAIN_WIDTH = 140;

const FAILED = 1;
const MISUSED = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const flags = readFlags(args);
    if (flags.help) return say([HELP]);
    await using receiver = await createReceiver({ ...flags, keep: KEPT });
    return await run(receiver, flags);
  } catch (error) {
    if (!(error instanceof FlagError || error instanceof ListenError)) throw error;
    return complain(error.message, error instanceof FlagError ? MISUSED : FAILED);
  }
}

async function run(receiver: Receiver, { secret, seed, json }: Flags): Promise<number> {
  const { url, script } = receiver;
  const report: Report = json ? jsonReport(script) : humanReport(script, terminalStyle());
  let tally = EMPTY_TALLY;
  receiver.onEvent((event) => {
    tally = count(tally, event);
    say(report.event(event));
  });
  say(report.start({ url, script, seed, checks: secret !== undefined }));
  const failure = await toldToEnd();
  await receiver.close();
  if (failure !== undefined) return complain(`Cannot write the output: ${failure.message}`, FAILED);
  say(report.end(tally));
  return holds(tally) ? 0 : FAILED;
}

function terminalStyle() {
  const { stdout } = process;
  return {
    colors: pc.createColors(isatty(stdout.fd) && pc.isColorSupported),
    // Some terminals do not know their width, and say 0.
    width: () => (stdout.isTTY && stdout.columns > 0 ? stdout.columns : PLAIN_WIDTH),
  };
}

/** Waits for a signal, or until nobody reads the output any more; answers what else was wrong with the output. */
async function toldToEnd(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(undefined));
    process.once('SIGTERM', () => resolve(undefined));
    process.stdout.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EPIPE' ? undefined : error));
  });
}

function say(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}
