import { CommanderError } from 'commander';
import { isConfigApiError } from '../client/config/config-api-error.ts';
import { report, UsageError } from '../server/cli/command.ts';
import type { Terminal } from './terminal.ts';

/** What every command of the router's API exits with. */
export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

/** Something that went wrong, in words that tell a person what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Says what went wrong, in the style of the API where a program asked; answers the exit code. */
export function fail(error: unknown, terminal: Terminal, isForPrograms: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || !isForPrograms))
    return error.exitCode === 0 ? EXIT.done : EXIT.misused;
  const told = toldOf(error);
  // A fault of the command itself: it shows where it is.
  if (told === undefined) return report(error, '');
  const { exitCode, message, code } = told;
  terminal.say(isForPrograms ? JSON.stringify({ error: message, ...code }) : `waybill: ${message}`);
  return exitCode;
}

interface Told {
  readonly exitCode: number;
  readonly message: string;
  /** Of the answer of the API. */
  readonly code: { readonly code?: number | undefined };
}

function toldOf(error: unknown): Told | undefined {
  const answered = error instanceof CommandFailed ? error.cause : error;
  const code = isConfigApiError(answered) ? { code: answered.code } : {};
  if (isConfigApiError(error) || error instanceof CommandFailed)
    return { exitCode: EXIT.failed, message: error.message, code };
  if (error instanceof CommanderError)
    return { exitCode: EXIT.misused, message: error.message.replace(/^error: /, ''), code: {} };
  if (error instanceof UsageError) return { exitCode: EXIT.misused, message: error.message, code: {} };
  if (error instanceof Error && 'code' in error && 'syscall' in error)
    return { exitCode: EXIT.failed, message: error.message, code: {} };
  return undefined;
}
