import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Sets the exit code of a command that went well, and has more to say than that. */
export type SetExitCode = (exitCode: number) => void;

interface OwnCommands {
  readonly names: readonly string[];
  readonly load: () => Promise<(program: Command, terminal: Terminal, setExitCode: SetExitCode) => void>;
}

/** Commands that the contract does not name, in the order of the help. What one of them needs would be loaded in vain for all others. */
const OWN_COMMANDS: readonly OwnCommands[] = [
  { names: ['backup'], load: async () => (await import('./backup.ts')).addBackup },
  {
    names: ['export', 'diff', 'apply'],
    load: async () => (await import('./configuration/commands.ts')).addConfigurationCommands,
  },
  { names: ['import'], load: async () => (await import('./import/command.ts')).addImport },
  { names: ['send'], load: async () => (await import('./send-event.ts')).addSend },
  { names: ['events'], load: async () => (await import('./tail-events.ts')).addTail },
  { names: ['compare'], load: async () => (await import('./compare/command.ts')).addCompare },
];

/** Adds the one that is asked for, or all; of the others the names, for whoever mistypes one. */
export async function addOwnCommands(
  program: Command,
  asked: string | undefined,
  terminal: Terminal,
  setExitCode: SetExitCode,
): Promise<void> {
  for (const { names, load } of OWN_COMMANDS) {
    if (asked === undefined || names.includes(asked)) (await load())(program, terminal, setExitCode);
    else for (const name of names) program.command(name);
  }
}
