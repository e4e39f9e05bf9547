import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { versionLine } from '../server/cli/version.ts';
import { loadDocument } from '../server/http/document.ts';
import { addApiCommands, connectionOf, withConnection } from './api-program.ts';
import { type ApiCommand, apiCommands } from './contract/api-commands.ts';
import { targetOf } from './contract/target.ts';
import { CommandFailed, EXIT, fail } from './failure.ts';
import { OPERATOR_COMMANDS } from './operator-commands.ts';
import { addOwnCommands, type SetExitCode } from './own-commands.ts';
import type { Terminal } from './terminal.ts';

const AFTER_HELP = `
The router, the token and the workspace come from flags, from WAYBILL_URL,
WAYBILL_TOKEN and WAYBILL_WORKSPACE, or from ~/.config/waybill/config.yaml.
Data goes to standard output, words to standard error.

Exit code: 0 when all is well, 1 when not, 2 for a command, a flag or a setting
that is invalid.`;

/** Runs a command line; answers the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.done;
  const isForPrograms = args.includes('--json');
  const asked = args.find((arg) => !arg.startsWith('-'));
  const program = await createProgram({ terminal, setExitCode: (code) => (exitCode = code), isForPrograms, asked });
  try {
    await program.parseAsync(args, { from: 'user' });
    const lost = await terminal.lost?.();
    if (lost !== undefined) throw new CommandFailed(`standard output was not written to its end: ${lost}`);
    return exitCode;
  } catch (error) {
    return Math.max(fail(error, terminal, isForPrograms), exitCode);
  }
}

interface ProgramOptions {
  readonly terminal: Terminal;
  readonly setExitCode?: SetExitCode;
  readonly isForPrograms?: boolean;
  /** The only command that may run; where none is named, all are told of. */
  readonly asked?: string | undefined;
}

export async function createProgram({
  terminal,
  setExitCode = () => {},
  isForPrograms = false,
  asked,
}: ProgramOptions): Promise<Command> {
  const program = new Command('waybill')
    .description('Waybill, the event router: run it, manage it, send to it.')
    .option('--version', 'tell the version and its commit')
    .exitOverride()
    .configureOutput(outputOf(terminal, isForPrograms))
    // Longer ones leave no room for what they are about.
    .configureHelp({ subcommandTerm: (command) => [command.name(), ...command.aliases()].join('|') })
    .showSuggestionAfterError()
    .addHelpText('after', AFTER_HELP)
    // Asked for alone: Git has to be asked for the commit of a clone.
    .on('option:version', () => {
      terminal.print(versionLine());
      throw new CommanderError(EXIT.done, 'commander.version', 'the version was told');
    });
  for (const [name, { about }] of Object.entries(OPERATOR_COMMANDS))
    program.command(name).description(about).helpGroup('Router:').allowUnknownOption().helpOption(false);
  await addOwnCommands(program, asked, terminal, setExitCode);
  const commands = apiCommands(loadDocument('config-api'));
  addApiCommands(program, commands, terminal);
  addExplain(program, commands, terminal);
  return program;
}

function outputOf(terminal: Terminal, isForPrograms: boolean): OutputConfiguration {
  return {
    writeOut: (text) => terminal.print(text.trimEnd()),
    // What is wrong is told to programs once, as JSON.
    writeErr: (text) => isForPrograms || terminal.say(text.trimEnd().replace(/^error: /, 'waybill: ')),
  };
}

/** As words what `deliveries get` answers as data. */
function addExplain(program: Command, commands: readonly ApiCommand[], terminal: Terminal): void {
  const get = commands.find(({ noun, verb }) => noun === 'deliveries' && verb === 'get');
  const group = program.commands.find((command) => command.name() === 'deliveries');
  if (get === undefined || group === undefined) return;
  const explain = withConnection(group.command('explain'))
    .description('Say what happened to a delivery, and what may help')
    .argument('<source/destination/delivery>', 'or the full name')
    .action(async (name: string) => {
      const connection = connectionOf(explain, terminal);
      const { name: full } = targetOf(get, name, connection.workspace);
      const { explainDelivery } = await import('./explain.ts');
      await explainDelivery(full, connection, explain.opts<{ readonly json?: true }>().json === true, terminal);
    });
}
