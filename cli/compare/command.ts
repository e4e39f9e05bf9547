import type { Command } from 'commander';
import { destinationName } from '../../client/config/resource-names.ts';
import { UsageError } from '../../server/cli/command.ts';
import { type CommonFlags, connectionOf, withConnection } from '../api-program.ts';
import { clientOf, type Connection } from '../connection.ts';
import { EXIT } from '../failure.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { eventsIn } from './archive.ts';
import { countsOf, isWithin, type Row, rowsOf, type Seen, sum } from './counts.ts';

interface CompareFlags extends CommonFlags {
  readonly with: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly tolerance: string;
}

export function addCompare(program: Command, terminal: Terminal, setExitCode: (exitCode: number) => void): void {
  const command = withConnection(program.command('compare'))
    .description('count the events of a destination beside an archive of the same ones')
    .helpGroup('Events:')
    .argument('<source/destination>', 'or the full name')
    .requiredOption('--with <files...>', 'one JSON event a line, also as .gz')
    .option('--from <time>', 'only what was received then or later')
    .option('--to <time>', 'only what was received before')
    .option('--tolerance <percent>', 'how far the totals of a type may differ', '0')
    .addHelpText('after', '\nExit code: 0 when the counts agree, 1 when not, 2 when it is not known.')
    .action(async (name: string) => {
      // Whatever goes wrong leaves it unknown.
      setExitCode(EXIT.misused);
      const { json, ...flags } = command.opts<CompareFlags>();
      const rows = await compared(name, flags, connectionOf(command, terminal));
      const tolerance = readNumber('--tolerance', flags.tolerance);
      if (json === true) for (const row of rows) terminal.print(JSON.stringify(row));
      else terminal.print(textOf(rows));
      setExitCode(isWithin(rows, tolerance) ? EXIT.done : EXIT.failed);
    });
}

async function compared(name: string, flags: CompareFlags, connection: Connection): Promise<readonly Row[]> {
  const from = readTime('--from', flags.from, Number.NEGATIVE_INFINITY);
  const to = readTime('--to', flags.to, Number.POSITIVE_INFINITY);
  const [source = '', destination = ''] = name.split('/');
  const full = name.startsWith('workspaces/') ? name : destinationName(connection.workspace, source, destination);
  const here = await countsOf(delivered(full, flags, connection), from, to);
  return rowsOf(here, await countsOf(eventsIn(flags.with), from, to));
}

/** Every delivery stands for one event that was accepted, whatever became of it. */
async function* delivered(name: string, { from, to }: CompareFlags, connection: Connection): AsyncGenerator<Seen> {
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  for await (const { type, receive_time: time } of clientOf(connection).deliveries.list(name, range))
    yield { type, time };
}

function textOf(rows: readonly Row[]): string {
  const lines = rows.map(({ hour, type, here, there }) => [hour, type, `${here}`, `${there}`, difference(here, there)]);
  const [here, there] = [sum(rows, 'here'), sum(rows, 'there')];
  return table(
    ['hour', 'type', 'here', 'there', 'difference'],
    [...lines, ['all', '', `${here}`, `${there}`, difference(here, there)]],
  );
}

function difference(here: number, there: number): string {
  return here === there ? '' : `${here > there ? '+' : ''}${here - there}`;
}

function readTime(flag: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`${flag} ${JSON.stringify(text)}: give a time such as 2026-11-20T14:00:00Z`);
}

function readNumber(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0) return number;
  throw new UsageError(`${flag} ${JSON.stringify(text)}: give a number from 0`);
}
