import type { Command } from 'commander';
import { UsageError } from '../../server/cli/command.ts';
import { type CommonFlags, connectionOf, withConnection } from '../api-program.ts';
import { sendManyTo } from '../connection.ts';
import { yamlOf } from '../contract/show-answer.ts';
import { CommandFailed, EXIT } from '../failure.ts';
import type { SetExitCode } from '../own-commands.ts';
import type { Terminal } from '../terminal.ts';
import { type Api, createRouterApi } from './api.ts';
import { applySteps, givenNames } from './apply.ts';
import { differences, type Step } from './differences.ts';
import { exported } from './export.ts';
import { filtersInTurn } from './filters-in-turn.ts';
import { keysInTurn } from './key-moves.ts';
import { requireKnownSources } from './known-sources.ts';
import { readWorkspace } from './live.ts';
import type { WorkspaceNode } from './model.ts';
import { type Prune, pruned } from './prune.ts';
import { readConfiguration } from './read-file.ts';
import { isWithoutSecrets, withoutSecrets } from './seen-by-readers.ts';
import { stepObject, stepText, summary } from './show-steps.ts';

export function addConfigurationCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addExport(program, terminal);
  addDiff(program, terminal, setExitCode);
  addApply(program, terminal);
}

function addExport(program: Command, terminal: Terminal): void {
  const command = withConnection(program.command('export'))
    .description('write the configuration of a workspace as YAML')
    .helpGroup('Configuration as code:')
    .option('--show-secrets', 'write secrets as they are, and not as ${env:…}')
    .action(async () => {
      const connection = connectionOf(command, terminal);
      const { workspace } = connection;
      const live = await readWorkspace(createRouterApi(sendManyTo(connection, terminal)), workspace);
      if (live === undefined) throw new CommandFailed(`workspaces/${workspace} does not exist`);
      const { json, showSecrets } = command.opts<CommonFlags & { readonly showSecrets?: true }>();
      const { file, variables, leftOut } = exported(new Map([[workspace, live]]), showSecrets ? 'shown' : 'references');
      for (const name of leftOut) terminal.say(`Left out, as it was deleted: ${name}`);
      if (json === true) return terminal.print(JSON.stringify(file));
      terminal.print(`# yaml-language-server: $schema=${connection.url}/docs/waybill.schema.json\n${yamlOf(file)}`);
      if (variables.length > 0) terminal.say(`Secrets to set before it is applied:\n  ${variables.join('\n  ')}`);
    });
}

interface FileFlags extends CommonFlags {
  readonly file: string;
  readonly prune?: string;
  readonly yes?: true;
}

function withFile(command: Command): Command {
  return withConnection(command)
    .helpGroup('Configuration as code:')
    .requiredOption('-f, --file <file>', 'what the workspaces should be; - reads standard input')
    .option(
      '--prune <key=value>',
      'delete sources with this label, and what is below them, that the file does not hold',
    );
}

function addDiff(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const command = withFile(program.command('diff'))
    .description('show how the router differs from a file')
    .addHelpText('after', '\nExit code: 0 when there is no difference, 1 when there is one, 2 when it is not known.')
    .action(async () => {
      // Whatever goes wrong leaves it unknown.
      setExitCode(EXIT.misused);
      const { json, ...flags } = command.opts<FileFlags>();
      const api = createRouterApi(sendManyTo(connectionOf(command, terminal), terminal));
      const plans = await planned(api, flags, terminal);
      const steps = plans.flatMap((plan) => plan.steps);
      if (plans.some(isBlind)) terminal.say('secrets were not compared: this token only reads, and does not see them');
      for (const step of steps) terminal.print(json === true ? JSON.stringify(stepObject(step)) : stepText(step));
      if (json !== true) terminal.say(steps.length === 0 ? 'no difference' : summary(steps));
      setExitCode(steps.length === 0 ? EXIT.done : EXIT.failed);
    });
}

function addApply(program: Command, terminal: Terminal): void {
  const command = withFile(program.command('apply'))
    .description('make the router what a file says, after showing the difference')
    .option('--yes', 'without asking')
    .action(async () => {
      const { json, yes, ...flags } = command.opts<FileFlags>();
      const api = createRouterApi(sendManyTo(connectionOf(command, terminal), terminal));
      const plans = await planned(api, flags, terminal);
      if (plans.some(isBlind)) throw new CommandFailed('this token only reads: apply needs one with write scope');
      const steps = plans.flatMap((plan) => plan.steps);
      if (steps.length === 0) return json === true ? undefined : terminal.say('no difference');
      if (yes !== true) await ask(steps, terminal);
      const tell = (step: Step): void =>
        terminal.print(json === true ? JSON.stringify(stepObject(step)) : stepText(step));
      for (const { workspace, live, steps: own } of plans)
        await applySteps(api, own, givenNames(workspace, live), tell);
      if (json !== true) terminal.say('applied');
    });
}

async function ask(steps: readonly Step[], terminal: Terminal): Promise<void> {
  for (const step of steps) terminal.say(stepText(step));
  if (await terminal.confirm(`${summary(steps)}. Apply?`)) return;
  throw new CommandFailed('nothing was changed; --yes applies without asking');
}

interface Planned {
  readonly workspace: string;
  readonly live: WorkspaceNode | undefined;
  readonly steps: readonly Step[];
}

function isBlind({ live }: Planned): boolean {
  return isWithoutSecrets(live);
}

async function planned(api: Api, { file, prune: label }: FileFlags, terminal: Terminal): Promise<readonly Planned[]> {
  const prune = pruneOf(label);
  const plans: Planned[] = [];
  for (const [workspace, wanted] of await readConfiguration(file, terminal)) {
    const live = await readWorkspace(api, workspace, wanted);
    const surplus = prune === undefined || live === undefined ? [] : pruned(workspace, wanted, live, prune);
    const seen = isWithoutSecrets(live) ? withoutSecrets(workspace, wanted) : wanted;
    const steps = [...differences(workspace, seen, live), ...surplus];
    requireKnownSources(workspace, steps, [wanted.sources, live?.sources]);
    plans.push({ workspace, live, steps: keysInTurn(filtersInTurn(steps, live)) });
  }
  return plans;
}

function pruneOf(label: string | undefined): Prune | undefined {
  if (label === undefined) return undefined;
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(label) ?? [];
  if (key !== '') return { key, value };
  throw new UsageError(`--prune ${JSON.stringify(label)}: give a label as key=value`);
}
