import { CannotListen } from '../http/cannot-listen.ts';
import type { Log } from '../ports/log.ts';
import { wantsHelp } from '../settings/settings-help.ts';
import { InvalidSetting } from '../settings/invalid-setting.ts';
import { StoreUnavailable } from '../storage/config-store.ts';
import { OutcomeUnknown, StorageUnusable } from '../storage/errors.ts';
import { safeText } from '../safe-text.ts';
import { traceOf } from '../thrown.ts';

/** One command of `waybill`. */
export interface Command {
  readonly name: string;
  readonly help: string;
  /** Answers the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** A command line that cannot be understood. The message names what is wrong with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const FAILED = 1;
const MISUSED = 2;

/** Runs a command, or prints its help; answers the exit code. */
export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  if (wantsHelp(args)) {
    process.stdout.write(`${command.help}\n`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    return report(error, command.name);
  }
}

/** Says what went wrong, in a line where a person can correct it; anything else is a bug, and shows where it is. */
export function report(thrown: unknown, command: string): number {
  const error = cameFirst(thrown);
  if (error instanceof UsageError)
    return complain(`${error.message}\nRun "waybill ${command} --help" for its usage.`, MISUSED);
  if (error instanceof InvalidSetting) return complain(error.message, MISUSED);
  if (error instanceof CannotListen || isOfStorage(error)) return complain(error.message, FAILED);
  return complain(traceOf(error), FAILED);
}

function isOfStorage(error: unknown): error is StorageUnusable | StoreUnavailable | OutcomeUnknown {
  return [StorageUnusable, StoreUnavailable, OutcomeUnknown].some((kind) => error instanceof kind);
}

/** Of something that failed, and whose parts could not be closed either: why it failed. */
export function cameFirst(error: unknown): unknown {
  return error instanceof SuppressedError ? cameFirst(error.suppressed) : error;
}

export function complain(message: string, exitCode: number): number {
  process.stderr.write(`waybill: ${safeText(message)}\n`);
  return exitCode;
}

/** For commands whose standard output is their answer alone. */
export const stderrLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => tell('warning', fields, message),
  error: (fields, message) => tell('error', fields, message),
};

function tell(level: string, fields: object, message: string): void {
  process.stderr.write(safeText(`${level}: ${message} ${JSON.stringify(fields)}\n`));
}
