import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UsageError } from '../../server/cli/command.ts';
import type { Schema } from '../../server/http/document.ts';
import { messageOf } from '../../server/thrown.ts';
import type { Terminal } from '../terminal.ts';
import { isObject, stringsOf } from './schemas.ts';

/** `write_keys` is given as `--write-keys`. */
export function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

/** What a flag takes, as the help shows it. */
export function placeholderOf(schema: Schema): string {
  const choices = stringsOf(schema['enum']);
  if (choices.length > 0) return 'choice';
  switch (schema['type']) {
    case 'boolean':
      return 'true|false';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return takesStrings(schema) ? 'list' : 'json';
    case 'object':
      return 'json';
    default:
      return 'text';
  }
}

/** The value of a flag, of the kind that the contract says. Its range and form are the API's to check. */
export function valueOf(field: string, schema: Schema, text: string): unknown {
  switch (schema['type']) {
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new UsageError(`${flagOf(field)} ${JSON.stringify(text)}: give true or false`);
    case 'integer':
    case 'number':
      if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
      throw new UsageError(`${flagOf(field)} ${JSON.stringify(text)}: give a number`);
    case 'array':
      return takesStrings(schema) && !text.startsWith('[') ? text.split(',') : readJson(flagOf(field), text);
    case 'object':
      return readJson(flagOf(field), text);
    default:
      return text;
  }
}

/** What a file holds that a flag names; `-` is standard input. */
export async function readText(owner: string, file: string, terminal: Terminal): Promise<string> {
  try {
    return file === '-' ? await terminal.read() : readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${owner} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** JSON, or YAML. No message shows the text: it may hold secrets. */
export function readJson(owner: string, text: string): unknown {
  try {
    const value: unknown = parse(text);
    return value;
  } catch (cause) {
    const place = cause instanceof Error ? (cause.message.split('\n')[0] ?? '').replace(/:$/, '') : '';
    throw new UsageError(`${owner} is neither JSON nor YAML: ${place}`, { cause });
  }
}

function takesStrings(schema: Schema): boolean {
  const { items } = schema;
  return isObject(items) && items['type'] === 'string';
}
