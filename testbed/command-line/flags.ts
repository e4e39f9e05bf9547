import { parseArgs } from 'node:util';
import { assertPlayable } from '../fault-script/back-end.ts';
import { nearest } from '../fault-script/nearest.ts';
import { ScriptError } from '../fault-script/script-error.ts';
import { toScript } from '../fault-script/script.ts';
import type { Script } from '../fault-script/step.ts';
import { SOCKETS } from '../receiver/performer.ts';

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  secret: { type: 'string' },
  script: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type Name = keyof typeof OPTIONS;
type Values = { readonly [N in Name]?: string | true };

export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly script?: Script;
  readonly seed: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** A flag that cannot be; the message names it and its value, but never the value of --secret. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export function readFlags(args: readonly string[]): Flags {
  const { port, host, secret, script, seed, json, help } = valuesOf(args);
  if (secret === '') throw new FlagError('--secret is empty; leave it out for a receiver that expects no signature');
  if (host === '') throw new FlagError('--host is empty; leave it out for 127.0.0.1');
  return {
    port: wholeNumber('--port', port ?? '9000', 65_535),
    host: typeof host === 'string' ? host : '127.0.0.1',
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof script === 'string' ? { script: readScript(script) } : {}),
    seed: wholeNumber('--seed', seed ?? '0', 4_294_967_295),
    json: json === true,
    help: help === true,
  };
}

function valuesOf(args: readonly string[]): Values {
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: { [N in Name]?: string | true } = {};
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'positional') throw stray(token.value, tokens[at - 1]);
    if (token.kind !== 'option') continue;
    const name = nameOf(token.name, token.rawName);
    if (values[name] !== undefined) throw new FlagError(`${token.rawName} is given twice; give it once`);
    values[name] = valueOf(name, token.rawName, token.value);
  }
  return values;
}

function nameOf(name: string, rawName: string): Name {
  if (isName(name)) return name;
  const guess = nearest(name, Object.keys(OPTIONS));
  const all = Object.keys(OPTIONS).map((known) => `--${known}`);
  throw new FlagError(
    `${rawName} is no flag; ${guess === undefined ? `the flags are ${all.join(', ')}` : `did you mean --${guess}?`}`,
  );
}

function isName(name: string): name is Name {
  return Object.hasOwn(OPTIONS, name);
}

function valueOf(name: Name, rawName: string, value: string | undefined): string | true {
  if (OPTIONS[name].type === 'boolean') {
    if (value === undefined) return true;
    throw new FlagError(`${rawName}=${value}: this flag takes no value; write ${rawName} alone`);
  }
  if (value !== undefined) return value;
  throw new FlagError(`${rawName} has no value; write it after the flag`);
}

/** What stands after --secret may be a part of the secret, and is not repeated. */
function stray(value: string, before: { readonly kind: string; readonly name?: string } | undefined): FlagError {
  const what = before?.name === 'secret' ? 'What follows the value of --secret' : `"${value}"`;
  return new FlagError(`${what} belongs to no flag; put a value with spaces in quotation marks`);
}

function wholeNumber(flag: string, value: string | true, most: number): number {
  if (typeof value === 'string' && /^\d{1,10}$/.test(value) && Number(value) <= most) return Number(value);
  throw new FlagError(`${flag} ${String(value)} cannot be; give a whole number from 0 to ${most}`);
}

/** The error shows the script with a mark under the column. */
function readScript(text: string): Script {
  try {
    const script = toScript(text);
    assertPlayable(script, SOCKETS);
    return script;
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const mark =
      error.column === undefined || /[\n\t]/.test(text) ? '' : `\n  ${text}\n  ${' '.repeat(error.column - 1)}^`;
    throw new FlagError(`--script: ${error.message}${mark}`, { cause: error });
  }
}
