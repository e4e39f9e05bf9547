import type { Command } from 'commander';
import { UsageError } from '../server/cli/command.ts';
import { connectionOf, withConnection } from './api-program.ts';
import type { Connection } from './connection.ts';
import { shortName } from './contract/target.ts';
import { CommandFailed } from './failure.ts';
import { readSourceName } from './source-name.ts';
import { cell } from './table.ts';
import type { Terminal } from './terminal.ts';
import { clientOf } from './typed-client.ts';

interface TailFlags {
  /** Ends after so many. */
  readonly count?: string;
  readonly json?: true;
}

export function addTail(program: Command, terminal: Terminal): void {
  const events = program.command('events').description('tail').helpGroup('Events:');
  const tail = withConnection(events.command('tail'))
    .description('Print the events of a source as they are accepted')
    .argument('<source>', 'or the full name')
    .option('--count <number>', 'end after so many')
    .action((source: string) => tailEvents(source, tail.opts<TailFlags>(), connectionOf(tail, terminal), terminal));
}

/** Prints the events of a source as they are accepted, until enough of them came. */
async function tailEvents(
  source: string,
  { count, json }: TailFlags,
  connection: Connection,
  terminal: Terminal,
): Promise<void> {
  const { workspace } = connection;
  const name = readSourceName(source, connection);
  let left = count === undefined ? Number.POSITIVE_INFINITY : readCount(count);
  for await (const message of clientOf(connection).acceptedEvents.watch(name)) {
    const events = message.accepted_events.slice(0, left);
    for (const event of events) terminal.print(json === true ? JSON.stringify(event) : lineOf(event, workspace));
    const unlisted = message.count - message.accepted_events.length;
    if (unlisted > 0) terminal.say(`${unlisted} more`);
    left -= events.length;
    if (left <= 0 || !terminal.isRead()) return;
  }
  throw new CommandFailed('the router has ended the stream');
}

function readCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--count ${JSON.stringify(text)}: give a whole number from 1`);
}

interface Shown {
  readonly receive_time: string;
  readonly type: string;
  readonly event: string;
  readonly user_id: string;
  readonly message_id: string;
  readonly destinations: readonly string[];
}

function lineOf(event: Shown, workspace: string): string {
  const goals = event.destinations.map((name) => shortName(name, workspace));
  const to = goals.length === 0 ? 'no destination' : goals.join(', ');
  const parts = [event.receive_time, event.type, event.event, event.user_id, event.message_id, `→ ${to}`];
  return parts
    .filter((part) => part !== '')
    .map(cell)
    .join('  ');
}
