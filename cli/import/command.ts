import type { Command } from 'commander';
import { UsageError } from '../../server/cli/command.ts';
import { type CommonFlags, connectionOf, withConnection } from '../api-program.ts';
import { readSlug, readUrl, requireToken, sendManyTo } from '../connection.ts';
import { createRouterApi } from '../configuration/api.ts';
import { givenNames } from '../configuration/apply.ts';
import { differences, type Step } from '../configuration/differences.ts';
import { keysInTurn } from '../configuration/key-moves.ts';
import { readWorkspace } from '../configuration/live.ts';
import { stepObject, stepText, summary } from '../configuration/show-steps.ts';
import { EXIT } from '../failure.ts';
import type { SetExitCode } from '../own-commands.ts';
import type { Terminal } from '../terminal.ts';
import { carriedOver, withKeysOf } from './carried-over.ts';
import { type Note, noteLine, noteLines } from './notes.ts';
import { type Origin, readSegment } from './read-segment.ts';
import { takeSteps } from './take-steps.ts';

interface ImportFlags extends CommonFlags {
  readonly from: string;
  readonly fromToken?: string;
  readonly fromWorkspace?: string;
  readonly dryRun?: true;
}

export function addImport(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const group = program.command('import').description('segment').helpGroup('Configuration as code:');
  const command = withConnection(group.command('segment'))
    .description('Bring sources, destinations and tracking plans of a Segment workspace here')
    .option('--from <url>', 'its Config API', 'https://platform.segmentapis.com')
    .option('--from-token <token>', 'an access token there; default SEGMENT_TOKEN')
    .option('--from-workspace <slug>', 'there; default the only one that the token sees')
    .option('--dry-run', 'only tell what would be done')
    .addHelpText('after', HELP)
    .action(async () => {
      const flags = command.opts<ImportFlags>();
      const connection = connectionOf(command, terminal);
      const { workspace } = connection;
      const notes: Note[] = [];
      const { found } = await readSegment(originOf(flags, terminal), (note) => void notes.push(note));
      const { wanted, notes: differently } = carriedOver(workspace, found);
      notes.push(...differently);
      const api = createRouterApi(sendManyTo(connection, terminal));
      const live = await readWorkspace(api, workspace, wanted);
      const steps = keysInTurn(differences(workspace, withKeysOf(live, wanted), live));
      const tell = (step: Step): void =>
        terminal.print(flags.json === true ? JSON.stringify(stepObject(step)) : stepText(step));
      if (flags.dryRun === true) for (const step of steps) tell(step);
      const { done, refused } =
        flags.dryRun === true
          ? { done: steps, refused: [] }
          : await takeSteps(api, steps, givenNames(workspace, live), tell);
      report({ notes, refused }, done, flags, terminal);
      if (refused.length > 0) setExitCode(EXIT.failed);
    });
}

const HELP = `
Started again, it goes on where it was, and takes over what has changed there
since. Nothing is deleted here.

Exit code: 0 when everything was carried, 1 when the router refused something:
the report says what, and why. 2 for invalid usage.`;

function originOf({ from, fromToken, fromWorkspace }: ImportFlags, terminal: Terminal): Origin {
  const token = fromToken ?? terminal.env['SEGMENT_TOKEN'] ?? '';
  if (token === '')
    throw new UsageError('no token of the workspace to import: give --from-token, or set SEGMENT_TOKEN');
  requireToken('the token of the workspace to import', token);
  const slug = fromWorkspace === undefined ? undefined : readSlug('--from-workspace', fromWorkspace);
  return { url: readUrl('--from', from), token, workspace: slug };
}

function report(
  { notes, refused }: { readonly notes: readonly Note[]; readonly refused: readonly Note[] },
  steps: readonly Step[],
  { json, dryRun }: ImportFlags,
  terminal: Terminal,
): void {
  if (json === true) {
    for (const { place, text } of [...notes, ...refused])
      terminal.print(JSON.stringify({ action: 'note', name: place, text }));
    return;
  }
  // Each refusal is something to do.
  const lines = [...noteLines(notes), ...refused.map(noteLine)];
  const count = notes.length + refused.length;
  terminal.say(
    [...lines, `${dryRun === true ? 'Dry run' : 'Imported'}: ${summary(steps)}, ${count} to look at`].join('\n'),
  );
}
