import type { Command } from 'commander';
import type { Schema } from '../server/http/document.ts';
import { type Connection, type ConnectionFlags, readConnection } from './connection.ts';
import { type ApiCommand } from './contract/api-commands.ts';
import { type Given, runApiCommand } from './contract/run-api-command.ts';
import { stringsOf } from './contract/schemas.ts';
import { showAnswer } from './contract/show-answer.ts';
import { argumentOf } from './contract/target.ts';
import { flagOf, placeholderOf } from './contract/values.ts';
import type { Terminal } from './terminal.ts';

/** Shorter words for what is typed often. */
const ALIASES: Readonly<Record<string, string>> = {
  'tracking-plans': 'plans',
  'access-tokens': 'tokens',
  'delivery-metrics': 'metrics',
};

const NOUNS_ABOUT: Readonly<Record<string, string>> = { 'access-tokens': 'who may use the Config API' };

/** A command with subcommands for each resource of the contract. */
export function addApiCommands(program: Command, commands: readonly ApiCommand[], terminal: Terminal): void {
  for (const [noun, verbs] of Map.groupBy(commands, (command) => command.noun)) {
    const about = NOUNS_ABOUT[noun] ?? verbs.map(({ verb }) => verb).join(', ');
    const group = program.command(noun).description(about).helpGroup('Resources:');
    const alias = ALIASES[noun];
    if (alias !== undefined) group.alias(alias);
    for (const command of verbs) addApiCommand(group, command, terminal);
  }
}

/** The flags of every command that asks a router. */
export function withConnection(command: Command): Command {
  return command
    .option('--url <url>', 'the router; default WAYBILL_URL, or http://127.0.0.1:8080')
    .option('--token <token>', 'an access token; default WAYBILL_TOKEN')
    .option('--workspace <slug>', 'of short names; default WAYBILL_WORKSPACE, or main')
    .option('--json', 'for programs: JSON, an object a line');
}

export interface CommonFlags extends ConnectionFlags {
  readonly json?: true;
}

export function connectionOf(command: Command, terminal: Terminal): Connection {
  return readConnection(connectionFlags(command.opts<CommonFlags>()), terminal.env);
}

/** Without flags that were not given, which are present as undefined in none. */
function connectionFlags({ url, token, workspace }: CommonFlags): ConnectionFlags {
  return Object.fromEntries(Object.entries({ url, token, workspace }).filter(([, value]) => value !== undefined));
}

function addApiCommand(group: Command, api: ApiCommand, terminal: Terminal): void {
  const command = withConnection(group.command(api.verb).description(api.summary));
  const argument = argumentOf(api);
  if (argument !== undefined) command.argument(`<${argument.replaceAll(/[<>]/g, '')}>`, nameHelp(api));
  const schemas = { ...api.body?.fields, ...api.query };
  for (const [field, schema] of Object.entries(schemas)) addField(command, field, schema);
  if (api.body !== undefined)
    command.option('--file <file>', 'the fields in a file of JSON or YAML; - reads standard input');
  command.action(async (...args: readonly unknown[]) => {
    const flags: Readonly<Record<string, string | undefined>> = command.opts();
    const [name] = args;
    const given: Given = {
      name: typeof name === 'string' ? name : undefined,
      flags: Object.fromEntries(command.options.map((option) => [option.long ?? '', flags[option.attributeName()]])),
      file: flags['file'],
    };
    const connection = connectionOf(command, terminal);
    const answer = await runApiCommand(api, given, connection, terminal);
    await showAnswer(api, answer, connection, terminal, command.opts<CommonFlags>().json === true);
  });
}

function nameHelp({ namedBy }: ApiCommand): string {
  return namedBy === undefined ? 'or the full name' : 'its new name, short or full';
}

function addField(command: Command, field: string, schema: Schema): void {
  const choices = stringsOf(schema['enum']);
  const option = command.createOption(`${flagOf(field)} <${placeholderOf(schema)}>`, aboutField(schema));
  command.addOption(choices.length === 0 ? option : option.choices([...choices]));
}

/** The first sentence of what the contract says. */
function aboutField({ description }: Schema): string {
  return typeof description === 'string'
    ? (/^.*?[.:](?=\s|$)/s.exec(description)?.[0] ?? description).replace(/[.:]$/, '')
    : '';
}
