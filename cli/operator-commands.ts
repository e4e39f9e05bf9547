import type { Command } from '../server/cli/command.ts';

export interface OperatorCommand {
  /** What it does, in a line. */
  readonly about: string;
  /** Only the command that runs is loaded. */
  readonly load: () => Promise<Command>;
}

/** The router itself, and what is done with its storage: they ask no API. */
export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  serve: {
    about: 'run the router in the foreground',
    load: async () => (await import('../server/cli/serve.ts')).serve,
  },
  doctor: {
    about: 'check settings, storage, port, disk and address guard of this machine',
    load: async () => (await import('../server/cli/doctor.ts')).doctor,
  },
  restore: {
    about: 'make a data folder of a backup',
    load: async () => (await import('../server/cli/restore.ts')).restore,
  },
  migrate: {
    about: "bring a storage of an earlier version to today's format",
    load: async () => (await import('../server/cli/migrate.ts')).migrate,
  },
  'migrate-storage': {
    about: 'move everything from a data folder to a database, or back',
    load: async () => (await import('../server/cli/migrate-storage.ts')).migrateStorage,
  },
  token: {
    about: 'create, list and revoke access tokens in the storage itself',
    load: async () => (await import('../server/cli/token.ts')).token,
  },
};

/** The flags that a help text explains, in its order. */
export function flagsIn(help: string): readonly string[] {
  return [...new Set([...help.matchAll(/^ {2}(--[\w-]+(?: <[^>]+>)?)/gm)].map(([, flag = '']) => flag))];
}
