#!/usr/bin/env node
/** The `waybill` command: the router, what its operator does beside it, and its API. */
import { complain, runCommand } from '../server/cli/command.ts';
import { PRIVATE_UMASK } from '../server/storage/file/private-files.ts';
import { OPERATOR_COMMANDS } from './operator-commands.ts';

// Every file that is made from here on, SQLite's own too, is for this user alone (SAFE-3).
process.umask(PRIVATE_UMASK);
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  if (name === '') return complain('no command; "waybill --help" lists them', 2);
  const own = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined;
  // The router starts without what asks it.
  if (own !== undefined) return runCommand(await own.load(), rest);
  const terminal = (await import('./process-terminal.ts')).openTerminal();
  if (name === 'complete') return (await import('./completion.ts')).complete(rest, terminal);
  return (await import('./program.ts')).run([name, ...rest], terminal);
}
