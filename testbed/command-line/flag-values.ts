import { parseArgs } from 'node:util';
import { nearest } from '../../server/nearest.ts';

/** A flag that cannot be; the message names it and its value, but never the value of a secret. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * How a flag is written: `text` has a value, `switch` has none, `choice` may have one, `list` has one and may come more
 * than once.
 */
export type FlagKind = 'text' | 'switch' | 'choice' | 'list';

/** Every value of a flag; true where it has none. */
export type Given = readonly (string | true)[];

export type Values<Name extends string> = { readonly [N in Name]?: Given };

type Token = ReturnType<typeof tokensOf>[number];

/** The values of each flag, as they are written. What stands by itself is answered apart, up to `words` of it. */
export function readValues<Name extends string>(
  args: readonly string[],
  kinds: Readonly<Record<Name, FlagKind>>,
  words = 0,
): { readonly values: Values<Name>; readonly words: readonly string[] } {
  const values: { [N in Name]?: (string | true)[] } = {};
  const alone: string[] = [];
  const tokens = tokensOf(args, kinds);
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'option-terminator') continue;
    const before = tokens[at - 1];
    if (token.kind === 'positional') {
      const name = openChoice(before, kinds);
      if (name !== undefined) values[name] = [token.value];
      else if (alone.length < words) alone.push(token.value);
      else throw stray(token.value, before);
      continue;
    }
    const name = nameOf(token, kinds);
    const earlier = values[name] ?? [];
    if (earlier.length > 0 && kinds[name] !== 'list')
      throw new FlagError(`${token.rawName} is given twice; give it once`);
    values[name] = [...earlier, valueOf(kinds[name], token)];
  }
  return { values, words: alone };
}

function tokensOf(args: readonly string[], kinds: Readonly<Record<string, FlagKind>>) {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => {
      const type = kind === 'switch' || kind === 'choice' ? ('boolean' as const) : ('string' as const);
      return [name, { type }];
    }),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** A choice that was written without a value takes the word behind it. */
function openChoice<Name extends string>(
  token: Token | undefined,
  kinds: Readonly<Record<Name, FlagKind>>,
): Name | undefined {
  if (token?.kind !== 'option' || token.value !== undefined || !isName(token.name, kinds)) return undefined;
  return kinds[token.name] === 'choice' ? token.name : undefined;
}

function nameOf<Name extends string>(
  { name, rawName }: { readonly name: string; readonly rawName: string },
  kinds: Readonly<Record<Name, FlagKind>>,
): Name {
  if (isName(name, kinds)) return name;
  const guess = nearest(name, Object.keys(kinds));
  const all = Object.keys(kinds).map((known) => `--${known}`);
  throw new FlagError(
    `${rawName} is no flag; ${guess === undefined ? `the flags are ${all.join(', ')}` : `did you mean --${guess}?`}`,
  );
}

function isName<Name extends string>(name: string, kinds: Readonly<Record<Name, FlagKind>>): name is Name {
  return Object.hasOwn(kinds, name);
}

function valueOf(
  kind: FlagKind,
  { rawName, value }: { readonly rawName: string; readonly value?: string | undefined },
): string | true {
  if (kind === 'switch' && value !== undefined)
    throw new FlagError(`${rawName}=${value}: this flag takes no value; write ${rawName} alone`);
  if (value !== undefined) return value;
  if (kind === 'switch' || kind === 'choice') return true;
  throw new FlagError(`${rawName} has no value; write it after the flag`);
}

/** What stands after a secret may be a part of it, and is not repeated. */
function stray(value: string, before: Token | undefined): FlagError {
  const secret = before?.kind === 'option' && before.name.endsWith('secret') ? before.rawName : undefined;
  const what = secret === undefined ? `"${value}"` : `What follows the value of ${secret}`;
  return new FlagError(`${what} belongs to no flag; put a value with spaces in quotation marks`);
}

/** The value of a flag that has one. */
export function textOf([value]: Given = []): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** For flags that only another mode knows: said in this one they would change nothing, and nobody would notice. */
export function refuseStray<Name extends string>(values: Values<Name>, flags: readonly Name[], wayOut: string): void {
  const found = flags.find((flag) => values[flag] !== undefined);
  if (found !== undefined) throw new FlagError(`--${found} ${wayOut}`);
}

/** A field that is left out when there is nothing for it. */
export function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  const fields: { [P in K]?: V } = {};
  if (value !== undefined) fields[key] = value;
  return fields;
}

/** What the options themselves would refuse is refused as a flag. */
export function asFlag<T>(made: () => T): T {
  try {
    return made();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FlagError(error.message.replace(/^The option (\S+)/, '--$1'), { cause: error });
  }
}
