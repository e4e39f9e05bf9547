import type { Command } from 'commander';
import { UsageError } from '../../server/cli/command.ts';
import { isWritable } from '../../server/model/moments.ts';
import { type CommonFlags, connectionOf, withConnection } from '../api-program.ts';
import type { Connection } from '../connection.ts';
import { EXIT } from '../failure.ts';
import { table } from '../table.ts';
import type { SetExitCode } from '../own-commands.ts';
import { readSourceName } from '../source-name.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../typed-client.ts';
import { eventsIn } from './archive.ts';
import { type Count, countsOf, HOUR, isWithin, type Row, rowsOf, sum } from './counts.ts';

interface CompareFlags extends CommonFlags {
  readonly from?: string;
  readonly to?: string;
  readonly tolerance: string;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export function addCompare(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const command = withConnection(program.command('compare'))
    .description('count the accepted events of sources beside archives of the same ones')
    .helpGroup('Events:')
    .argument('<source=path...>', 'a file or folder for each source: one JSON event a line, also as .gz')
    .option('--from <time>', 'only what was received then or later; a full hour (default: the first of the archives)')
    .option('--to <time>', 'only what was received before; a full hour (default: after the last of the archives)')
    .option('--tolerance <percent>', 'how far the totals of a source and type may differ', '0')
    .addHelpText('after', '\nExit code: 0 when the counts agree, 1 when not, 2 when it is not known.')
    .action(async (pairs: readonly string[]) => {
      // Whatever goes wrong leaves it unknown.
      setExitCode(EXIT.misused);
      const { json, ...flags } = command.opts<CompareFlags>();
      const tolerance = readNumber('--tolerance', flags.tolerance);
      const rows = await compared(pairs, flags, connectionOf(command, terminal));
      if (json === true) for (const row of rows) terminal.print(JSON.stringify(row));
      else terminal.print(textOf(rows));
      setExitCode(isWithin(rows, tolerance) ? EXIT.done : EXIT.failed);
    });
}

async function compared(
  pairs: readonly string[],
  flags: CompareFlags,
  connection: Connection,
): Promise<readonly Row[]> {
  const from = readHour('--from', flags.from, Number.NEGATIVE_INFINITY);
  const to = readHour('--to', flags.to, Number.POSITIVE_INFINITY);
  const theirs = new Map<string, readonly Count[]>();
  for (const { source, path } of pairs.map(readPair)) {
    const counts = await countsOf(eventsIn(path), from, to);
    theirs.set(source, [...(theirs.get(source) ?? []), ...counts]);
  }
  const range = rangeOf({ from, to }, [...theirs.values()].flat());
  const rows: Row[] = [];
  for (const [source, there] of theirs) rows.push(...rowsOf(source, await accepted(source, range, connection), there));
  return rows;
}

/** What is not given is where the archives begin and end: what came before and after is in none of them. */
function rangeOf({ from, to }: Range, there: readonly Count[]): Range {
  const hours = there.map(({ hour }) => hour);
  const first = hours.reduce((least, hour) => Math.min(least, hour), Number.POSITIVE_INFINITY);
  const last = hours.reduce((most, hour) => Math.max(most, hour), Number.NEGATIVE_INFINITY);
  const range = { from: Number.isFinite(from) ? from : first, to: Number.isFinite(to) ? to : last + HOUR };
  if (Number.isFinite(range.from) && Number.isFinite(range.to) && range.from < range.to) return range;
  throw new UsageError('the archives hold no events of that time: give --from and --to to count what Waybill accepted');
}

async function accepted(source: string, { from, to }: Range, connection: Connection): Promise<readonly Count[]> {
  const name = readSourceName(source, connection);
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { counts } = await clientOf(connection).acceptedEvents.count(name, range);
  return counts.map(({ time, type, count }) => ({ hour: Date.parse(time), type, count }));
}

function textOf(rows: readonly Row[]): string {
  const lines = [...Map.groupBy(rows, ({ source }) => source)].flatMap(([source, own]) => [
    ...own.map((row) => line([source, row.hour, row.type], [row])),
    line([source, 'all', ''], own),
  ]);
  return table(['source', 'hour', 'type', 'here', 'there', 'difference'], [...lines, line(['all', '', ''], rows)]);
}

function line(cells: readonly string[], rows: readonly Row[]): readonly string[] {
  const [here, there] = [sum(rows, 'here'), sum(rows, 'there')];
  const difference = here === there ? '' : `${here > there ? '+' : ''}${here - there}`;
  return [...cells, `${here}`, `${there}`, difference];
}

function readPair(text: string): { readonly source: string; readonly path: string } {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return { source: text.slice(0, at), path: text.slice(at + 1) };
  throw new UsageError(`${JSON.stringify(text)}: give a source and its archive, such as web=archive/web`);
}

/** Accepted events are counted by the hour: less cannot be told apart. */
function readHour(flag: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const time = Date.parse(text);
  if (!isWritable(time) || time % HOUR !== 0)
    throw new UsageError(`${flag} ${JSON.stringify(text)}: give a full hour such as 2026-11-20T14:00:00Z`);
  return time;
}

function readNumber(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0) return number;
  throw new UsageError(`${flag} ${JSON.stringify(text)}: give a number from 0`);
}
