import { type Command, Option } from 'commander';
import { Analytics } from '../client/analytics/analytics.ts';
import type { Logger } from '../client/analytics/logger.ts';
import type { CallResult } from '../client/analytics/result.ts';
import { UsageError } from '../server/cli/command.ts';
import { connectionOf, withConnection } from './api-program.ts';
import type { Connection } from './connection.ts';
import { isObject } from './contract/schemas.ts';
import { readJson } from './contract/values.ts';
import { CommandFailed } from './failure.ts';
import { readSourceName } from './source-name.ts';
import type { Terminal } from './terminal.ts';
import { clientOf } from './typed-client.ts';

const SENT_TYPES = ['track', 'identify', 'page'] as const;

interface EventFlags {
  readonly type: (typeof SENT_TYPES)[number];
  readonly event: string;
  readonly user: string;
  /** Properties or traits, as JSON. */
  readonly data?: string;
  readonly writeKey?: string;
}

export function addSend(program: Command, terminal: Terminal): void {
  const command = withConnection(program.command('send'))
    .description('send a test event')
    .helpGroup('Events:')
    .argument('<source>', 'the source that it comes from')
    .addOption(new Option('--type <choice>', 'of the event').choices([...SENT_TYPES]).default('track'))
    .option('--event <name>', 'of a tracked event', 'Test Event')
    .option('--user <id>', 'whose event it is', 'test-user')
    .option('--data <json>', 'properties, or traits of identify')
    .option('--write-key <key>', 'of the source; default its first one')
    .action(async (source: string) => {
      const { json, ...flags } = command.opts<EventFlags & { readonly json?: true }>();
      const messageId = await sendEvent(source, flags, connectionOf(command, terminal));
      terminal.print(json === true ? JSON.stringify({ message_id: messageId }) : messageId);
    });
}

/** Sends one event as an SDK would, and answers its message id once the router has it on disk. */
async function sendEvent(source: string, flags: EventFlags, connection: Connection): Promise<string> {
  const data = readData(flags.data);
  const writeKey = flags.writeKey ?? (await writeKeyOf(source, connection));
  const analytics = openAnalytics(writeKey, connection);
  const result = await send(analytics, flags, data);
  await analytics.close();
  if (result.ok) return result.messageId;
  throw new CommandFailed(`the event was not accepted (${result.reason}): ${result.message}`);
}

const SILENT: Logger = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** What goes wrong stands in the result. */
function openAnalytics(writeKey: string, { url: host }: Connection): Analytics<true> {
  try {
    return new Analytics(writeKey, { host, syncMode: true, maxRetries: 2, logger: SILENT });
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageError(`--write-key: ${cause.message}`, { cause });
    throw cause;
  }
}

function send(
  analytics: Analytics<true>,
  { type, event, user: userId }: EventFlags,
  data: Readonly<Record<string, unknown>>,
): Promise<CallResult> {
  switch (type) {
    case 'track':
      return analytics.track({ userId, event, properties: data });
    case 'identify':
      return analytics.identify({ userId, traits: data });
    case 'page':
      return analytics.page({ userId, properties: data });
  }
}

async function writeKeyOf(source: string, connection: Connection): Promise<string> {
  const name = readSourceName(source, connection);
  const { write_keys: keys } = await clientOf(connection).sources.get(name);
  const [key] = keys;
  if (key === undefined) throw new CommandFailed(`${name} has no write key: add one with "waybill sources update"`);
  if (key === '[redacted]') throw new CommandFailed('this token only reads, and sees no write keys: give --write-key');
  return key;
}

function readData(text = '{}'): Readonly<Record<string, unknown>> {
  const data = readJson('--data', text);
  if (isObject(data)) return data;
  throw new UsageError('--data must be an object: \'{"total": 42.5}\'');
}
