#!/usr/bin/env node
/** The `waybill` command: the router, and what its operator does beside it. */
import { nearest } from '../nearest.ts';
import { PRIVATE_UMASK } from '../storage/file/private-files.ts';
import { type Command, complain, runCommand } from './command.ts';

interface Entry {
  /** What it does, in a line. */
  readonly about: string;
  /** Only the command that runs is loaded. */
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    about: 'run the router in the foreground',
    load: async () => (await import('./serve.ts')).serve,
  },
  doctor: {
    about: 'check settings, storage, port, disk and address guard of this machine',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  migrate: {
    about: "bring a storage of an earlier version to today's format",
    load: async () => (await import('./migrate.ts')).migrate,
  },
  'migrate-storage': {
    about: 'move everything from a data folder to a database, or back',
    load: async () => (await import('./migrate-storage.ts')).migrateStorage,
  },
  token: {
    about: 'create an access token when every token is lost',
    load: async () => (await import('./token.ts')).token,
  },
};
const NAMES = Object.keys(COMMANDS);

const HELP = `Usage: waybill <command> [flags]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(17)}${about}`)
  .join('\n')}

"waybill <command> --help" lists the flags of a command.

Exit code: 0 when all is well, 1 when not, 2 for a command, a flag or a setting
that is invalid.`;

// Every file that is made from here on, SQLite's own too, is for this user alone (SAFE-3).
process.umask(PRIVATE_UMASK);
process.exitCode = await main(process.argv.slice(2));

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return runCommand(await command.load(), args);
  return complain(`${unknown(name)}\nRun "waybill --help" for the commands.`, 2);
}

function unknown(name: string): string {
  if (name === '') return `no command; the commands are ${NAMES.join(', ')}`;
  const guess = nearest(name, NAMES);
  const way = guess === undefined ? `the commands are ${NAMES.join(', ')}` : `did you mean ${guess}?`;
  return `unknown command ${JSON.stringify(name)}; ${way}`;
}
