import { Command, CommanderError, Option, type OutputConfiguration } from 'commander';
import { versionLine } from '../server/cli/version.ts';
import { loadDocument } from '../server/http/document.ts';
import { addApiCommands, connectionOf, withConnection } from './api-program.ts';
import { addBackup } from './backup.ts';
import { addConfigurationCommands } from './configuration/commands.ts';
import { addCompare } from './compare/command.ts';
import { addImport } from './import/command.ts';
import { type ApiCommand, apiCommands } from './contract/api-commands.ts';
import { targetOf } from './contract/target.ts';
import { explainDelivery } from './explain.ts';
import { EXIT, fail } from './failure.ts';
import { OPERATOR_COMMANDS } from './operator-commands.ts';
import { type EventFlags, SENT_TYPES, sendEvent } from './send-event.ts';
import { type TailFlags, tailEvents } from './tail-events.ts';
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
  const program = createProgram(terminal, (code) => (exitCode = code), isForPrograms);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return Math.max(fail(error, terminal, isForPrograms), exitCode);
  }
}

export function createProgram(
  terminal: Terminal,
  setExitCode: (exitCode: number) => void = () => {},
  isForPrograms = false,
): Command {
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
  addBackup(program, terminal);
  addConfigurationCommands(program, terminal, setExitCode);
  addImport(program, terminal, setExitCode);
  addSend(program, terminal);
  addTail(program, terminal);
  addCompare(program, terminal, setExitCode);
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

function addSend(program: Command, terminal: Terminal): void {
  const send = withConnection(program.command('send'))
    .description('send a test event')
    .helpGroup('Events:')
    .argument('<source>', 'the source that it comes from')
    .addOption(new Option('--type <choice>', 'of the event').choices([...SENT_TYPES]).default('track'))
    .option('--event <name>', 'of a tracked event', 'Test Event')
    .option('--user <id>', 'whose event it is', 'test-user')
    .option('--data <json>', 'properties, or traits of identify')
    .option('--write-key <key>', 'of the source; default its first one')
    .action(async (source: string) => {
      const { json, ...flags } = send.opts<EventFlags & { readonly json?: true }>();
      const messageId = await sendEvent(source, flags, connectionOf(send, terminal));
      terminal.print(json === true ? JSON.stringify({ message_id: messageId }) : messageId);
    });
}

function addTail(program: Command, terminal: Terminal): void {
  const events = program.command('events').description('tail').helpGroup('Events:');
  const tail = withConnection(events.command('tail'))
    .description('Print the events of a source as they are accepted')
    .argument('<source>', 'or the full name')
    .option('--count <number>', 'end after so many')
    .action((source: string) => tailEvents(source, tail.opts<TailFlags>(), connectionOf(tail, terminal), terminal));
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
      await explainDelivery(full, connection, explain.opts<{ readonly json?: true }>().json === true, terminal);
    });
}
