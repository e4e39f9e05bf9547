import type { paths } from '../../generated/config-api.d.ts';
import { listItems } from '../../client/config/lists.ts';
import type { Method, Send } from '../../client/config/call.ts';
import { updateMaskPaths } from '../../client/config/update-mask.ts';
import { UsageError } from '../../server/cli/command.ts';
import { type Connection, sendTo } from '../connection.ts';
import type { Terminal } from '../terminal.ts';
import type { ApiCommand } from './api-commands.ts';
import { isObject } from './schemas.ts';
import { type Target, targetOf } from './target.ts';
import { flagOf, readJson, readText, valueOf } from './values.ts';

/** What was given to a command, by the fields that the flags stand for. */
export interface Given {
  readonly name: string | undefined;
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** A file with the fields of the body, `-` for standard input. */
  readonly file: string | undefined;
}

/** The largest that the API gives: long lists take few requests of those that a token has in a minute. */
export const PAGE_SIZE = 1_000;

/** What a command has to show. */
export type Answer =
  | { readonly kind: 'items'; readonly items: AsyncIterable<Readonly<Record<string, unknown>>> }
  | { readonly kind: 'object'; readonly object: unknown; readonly target: Target };

export async function runApiCommand(
  command: ApiCommand,
  given: Given,
  connection: Connection,
  terminal: Terminal,
): Promise<Answer> {
  const target = targetOf(command, given.name, connection.workspace);
  const send = sendTo(connection);
  const query = fieldsOf(given, command.query);
  const { listing } = command;
  if (listing !== undefined) return { kind: 'items', items: itemsOf(send, target, listing, query) };
  const [{ method } = { method: 'get' as const }] = command.operations;
  const body = command.body && (await bodyOf(command, given, target, terminal));
  const object = await send({
    method: clientMethod(method),
    path: pathOf(target),
    ids: target.ids,
    query,
    body,
    signal: undefined,
    read: (value) => (isObject(value) ? { value } : { problem: 'it is no JSON object' }),
  });
  return { kind: 'object', object, target };
}

function itemsOf(
  send: Send,
  target: Target,
  { plural, mark }: NonNullable<ApiCommand['listing']>,
  query: Readonly<Record<string, unknown>>,
): AsyncIterable<Readonly<Record<string, unknown>>> {
  return listItems(
    send,
    { owner: 'waybill', path: pathOf(target), ids: target.ids, plural, mark },
    { ...query, pageSize: PAGE_SIZE },
  );
}

async function bodyOf(command: ApiCommand, given: Given, target: Target, terminal: Terminal): Promise<unknown> {
  const { body: shape } = command;
  if (shape === undefined) return undefined;
  const { key, fields, nested, isMasked } = shape;
  const fromFile = given.file === undefined ? {} : await readFields(given.file, terminal);
  const unknown = Object.keys(fromFile).find((field) => isMasked && !Object.hasOwn(fields, field));
  if (unknown !== undefined) {
    const known = `the fields are ${Object.keys(fields).join(', ')}`;
    throw new UsageError(`--file ${given.file}: ${JSON.stringify(unknown)} does not change with an update; ${known}`);
  }
  const values = { ...fromFile, ...fieldsOf(given, fields) };
  const named = command.namedBy === undefined ? values : { ...values, name: target.name };
  const resource = key === undefined ? named : { [key]: named };
  return isMasked && key !== undefined
    ? { ...resource, update_mask: { paths: updateMaskPaths({ key, nested }, values) } }
    : resource;
}

type Schemas = Readonly<Record<string, Parameters<typeof valueOf>[1]>>;

function fieldsOf({ flags }: Given, schemas: Schemas): Readonly<Record<string, unknown>> {
  const values = Object.entries(schemas).flatMap(([field, schema]) => {
    const text = flags[flagOf(field)];
    return text === undefined ? [] : [[field, valueOf(field, schema, text)] as const];
  });
  return Object.fromEntries(values);
}

async function readFields(file: string, terminal: Terminal): Promise<Readonly<Record<string, unknown>>> {
  const owner = `--file ${file}`;
  const fields = readJson(owner, await readText(owner, file, terminal));
  if (isObject(fields)) return fields;
  throw new UsageError(`${owner} must hold an object with the fields of the resource`);
}

function pathOf({ template }: Target): keyof paths {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- commands are made from the paths of the document
  return template as keyof paths;
}

function clientMethod(method: ApiCommand['operations'][number]['method']): Method {
  if (method !== 'put') return method;
  throw new Error('no command is made of a PUT');
}
